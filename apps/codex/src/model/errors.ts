import { defineErrors } from '@holdfast/base';

export const codexErrors = defineErrors({
  NOTEBOOK_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no notebook with this number or name.',
    hint: "List them with 'holdfast notebooks list'.",
  },
  NOTEBOOK_AMBIGUOUS: {
    kind: 'usage',
    means: 'Several notebooks exist and none was named.',
    hint: 'Choose one, on the command line with --notebook.',
  },
  NOTEBOOK_EXISTS: {
    kind: 'conflict',
    means: 'A notebook with this name exists, or its folder is, contains or is inside the folder of another notebook.',
    hint: 'Choose another name or folder.',
  },
  NOTEBOOK_FOLDER: {
    kind: 'usage',
    means: 'The folder of the notebook cannot be used: relative, a symbolic link, a system folder, or not a folder.',
    hint: 'Use the absolute path of a folder that you own; a missing folder is created.',
  },
  NOTEBOOK_AWAY: {
    kind: 'unavailable',
    means: 'The folder of the notebook is missing, or an empty folder is in its place. Nothing counts as deleted.',
    hint: 'Mount the disk. Work continues once the folder is back. If it is gone for good, remove the notebook.',
  },
  DISK_AWAY: {
    kind: 'unavailable',
    means: 'A folder of the notebook is a separate disk that is not mounted. Nothing in it counts as deleted.',
    hint: "Mount it. If it is gone for good, run 'holdfast notebooks reconcile --without-disks'.",
  },
  OTHER_DISK: {
    kind: 'conflict',
    means:
      'The file would be on a disk that is mounted inside the notebook. Files are written elsewhere and renamed into place, which does not work across disks.',
    hint: 'Write it there with another program; Holdfast finds and commits it. Or make the disk a notebook of its own.',
  },
  NOTEBOOK_CLOSING: {
    kind: 'conflict',
    means: 'The notebook is being removed and accepts no new operations.',
    hint: 'Add it again after it is removed. Its files stay where they are.',
  },
  PATH_INVALID: {
    kind: 'usage',
    means: 'The path does not work on every system. The message names the rule that it breaks.',
    hint: 'Paths are relative to the notebook, with / between names, for example notes/today.md.',
  },
  PATH_LINK: {
    kind: 'conflict',
    means: 'The path leads through a symbolic link, or through something that is neither file nor folder.',
    hint: 'Nothing was changed. Replace the link with its target.',
  },
  NAME_COLLIDES: {
    kind: 'conflict',
    means: 'The name differs from an existing one only in case or in how its letters are composed.',
    hint: 'Choose another name: on other systems both would be one file.',
  },
  FILE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The notebook has no such file, folder or commit, now or in the requested version.',
    hint: 'List the files of the notebook; the id of a file stays the same when it is moved.',
  },
  FILE_EXISTS: {
    kind: 'conflict',
    means: 'A file or folder exists at this path. Nothing was overwritten.',
    hint: 'Choose another path, or update the existing file.',
  },
  FILE_CHANGED: {
    kind: 'conflict',
    means: 'The file has changed since the version that the operation is based on (If-Match or base_hash).',
    hint: 'Nothing was changed. Read the file again, then repeat the change.',
  },
  FILE_TOO_LARGE: {
    kind: 'usage',
    means: 'The content exceeds the maximum size of a file.',
    hint: 'The limit is HOLDFAST_CODEX_MAX_FILE_BYTES.',
  },
  DISK_FULL: {
    kind: 'unavailable',
    means: 'The disk of the notebook has no space left for the content. Nothing was queued or changed.',
    hint: 'Free some space, then send it again. Operations queued before continue by themselves.',
  },
  ATTACHMENT_TYPE: {
    kind: 'usage',
    means: 'Files of this type cannot be attached, or the content does not match the file name.',
    hint: 'Attach images, audio, video, PDF, office documents, archives or text. Upload other files as files.',
  },
  PROPERTIES_INVALID: {
    kind: 'conflict',
    means:
      'The properties of the file are invalid, so they cannot be edited safely; or the new ones cannot be written.',
    hint: 'Nothing was changed. Correct the lines between --- at the beginning of the file; the message names the line.',
  },
  MOVE_INTO_ITSELF: {
    kind: 'usage',
    means: 'A folder cannot be moved into itself.',
    hint: 'Choose a target outside the folder.',
  },
  EVENT_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no event or batch with this id, or it has expired.',
    hint: 'Completed events are kept for a day, failed ones for a week.',
  },
  EVENT_STATE: {
    kind: 'conflict',
    means: 'The status of the event does not allow this action.',
    hint: 'Only pending events can be cancelled, only failed ones retried or discarded.',
  },
  EVENT_OVERTAKEN: {
    kind: 'conflict',
    means: 'Later operations have changed the same path; retrying this one would undo them.',
    hint: 'Send the change again, or discard the failed event.',
  },
  EVENT_FAILED: {
    kind: 'failed',
    means: 'The operation failed. The message is that of the event.',
    hint: 'The event keeps the reason: GET /api/codex/events/{id}.',
  },
  QUEUE_FULL: {
    kind: 'unavailable',
    means: 'The queue of the notebook is full.',
    hint: 'Nothing was queued. Try again after the time in Retry-After.',
  },
  BATCH_TOO_LARGE: {
    kind: 'usage',
    means: 'The batch has more operations than the queue of a notebook can hold. Nothing was queued.',
    hint: 'Split the batch. The limit is HOLDFAST_CODEX_MAX_PENDING.',
  },
  IDEMPOTENCY_MISMATCH: {
    kind: 'conflict',
    means: 'The idempotency key was used for another operation.',
    hint: 'Use a new key for each operation.',
  },
  LANE_LOST: {
    kind: 'unavailable',
    means: 'Another process took over the notebook because this one did not renew its lease in time.',
    hint: 'Nothing is lost: the other process continues with the queue.',
  },
  WAIT_TIMEOUT: {
    kind: 'unavailable',
    means: 'The operation is queued, but did not finish within the given time.',
    hint: 'It is not lost. Wait for the event, or check its status later.',
  },
  CONTENT_MISSING: {
    kind: 'failed',
    means: 'The staged content of an operation is missing or damaged.',
    hint: "Send the content again. Run 'holdfast notebooks reconcile' to compare the notebook with its index.",
  },
  GIT_UNAVAILABLE: {
    kind: 'unavailable',
    means: 'git is missing, or refused a command. The files and their index are not affected.',
    hint: 'The message contains the output of git. Waiting changes are committed once git works.',
  },
  GIT_PAUSED: {
    kind: 'conflict',
    means: 'The user is in the middle of a merge or rebase, or HEAD is detached.',
    hint: 'Finish it; waiting changes are committed afterwards.',
  },
  WATCH_LIMIT: {
    kind: 'unavailable',
    means: 'The system limit for watched files is reached. Changes in other folders are found by periodic comparison.',
    hint: 'Raise fs.inotify.max_user_watches.',
  },
  SETTING_INVALID: {
    kind: 'usage',
    means: 'An environment variable HOLDFAST_CODEX_… has an invalid value.',
    hint: 'The message names the variable and its valid values.',
  },
});

/** For deleted files that are no longer in the trash. */
export function nothingInTrash(message: string): Error {
  return codexErrors.FILE_NOT_FOUND(message, {
    hint: 'Deleted files are kept for HOLDFAST_CODEX_TRASH_RETENTION (default: seven days); the history keeps them longer.',
  });
}
