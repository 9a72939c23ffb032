import { defineErrors } from '@holdfast/base';

/** What can go wrong with notebooks, their files, the queue and the history. */
export const codexErrors = defineErrors({
  NOTEBOOK_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no notebook of this id or name.',
    hint: "List them with 'holdfast notebooks list'.",
  },
  NOTEBOOK_AMBIGUOUS: {
    kind: 'usage',
    means: 'Several notebooks exist and none was named.',
    hint: 'Choose one, on the command line with --notebook.',
  },
  NOTEBOOK_EXISTS: {
    kind: 'conflict',
    means: 'A notebook of this name exists, or its folder is, contains or lies in the folder of another notebook.',
    hint: 'Choose another name or folder.',
  },
  NOTEBOOK_FOLDER: {
    kind: 'usage',
    means: 'The folder of the notebook cannot be used: relative, a symbolic link, a system folder, or not a folder.',
    hint: 'Name an absolute path of a folder that you own; it is created when it is missing.',
  },
  NOTEBOOK_AWAY: {
    kind: 'unavailable',
    means: 'The folder of the notebook is missing, or an empty one stands in its place. Nothing counts as deleted.',
    hint: 'Is a disk not mounted? Work goes on once the folder is back. If it is gone for good, remove the notebook.',
  },
  DISK_AWAY: {
    kind: 'unavailable',
    means: 'A folder of the notebook is a disk of its own, which is not mounted. Nothing in it counts as deleted.',
    hint: "Mount it. If it is gone for good: 'holdfast codex reconcile --without-disks'.",
  },
  OTHER_DISK: {
    kind: 'conflict',
    means:
      'The file would lie on a disk that is mounted inside the notebook. Files are made whole elsewhere and then put in place, which no system does from one disk to another.',
    hint: 'Write it there with another program; it is found and committed. Or make the disk a notebook of its own.',
  },
  NOTEBOOK_CLOSING: {
    kind: 'conflict',
    means: 'The notebook is being removed; it takes no new operations.',
    hint: 'Add it again once it is gone. The files themselves stay where they are.',
  },
  PATH_INVALID: {
    kind: 'usage',
    means: 'The path is not one that a notebook can hold on every system. The message says which rule it breaks.',
    hint: 'Paths are relative to the notebook, with / between names, for example notes/today.md.',
  },
  PATH_LINK: {
    kind: 'conflict',
    means: 'A symbolic link, or something that is neither file nor folder, stands on the way to the path.',
    hint: 'Nothing was followed or changed. Replace the link by what it points to.',
  },
  NAME_COLLIDES: {
    kind: 'conflict',
    means: 'The name differs from an existing one only in case or in how its letters are composed.',
    hint: 'Choose another name: such twins become one file on other systems.',
  },
  FILE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The notebook has no such file or folder, now or in the asked version.',
    hint: 'List the files of the notebook; the id of a file stays the same when it is moved.',
  },
  FILE_EXISTS: {
    kind: 'conflict',
    means: 'There is a file or folder at the target already. Nothing was overwritten.',
    hint: 'Choose another path, or update the file that is there.',
  },
  FILE_CHANGED: {
    kind: 'conflict',
    means: 'The file is not in the version that the operation was made for (If-Match or base_hash).',
    hint: 'Nothing was changed. Read it again and decide anew.',
  },
  FILE_TOO_LARGE: {
    kind: 'usage',
    means: 'The content is longer than a file may be.',
    hint: 'The limit is HOLDFAST_CODEX_MAX_FILE_BYTES.',
  },
  DISK_FULL: {
    kind: 'unavailable',
    means: 'The disk of the notebook has no space left for the content. Nothing was queued or changed.',
    hint: 'Make space, then send it again. What was queued before goes on by itself.',
  },
  ATTACHMENT_TYPE: {
    kind: 'usage',
    means: 'The file is not of a kind that can be attached to a note, or is not what its name says.',
    hint: 'Pictures, sound, video, PDF, office documents, archives and text can be. Others can be uploaded as files.',
  },
  PROPERTIES_INVALID: {
    kind: 'conflict',
    means:
      'The properties of a file cannot be read, so they cannot be edited without losing something; or not written.',
    hint: 'Nothing was changed. Correct the lines between --- at the beginning of the file; the message says which.',
  },
  MOVE_INTO_ITSELF: {
    kind: 'usage',
    means: 'A folder cannot be moved into itself.',
    hint: 'Choose a target outside of it.',
  },
  EVENT_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no event or batch of this id, or it was older than what is kept.',
    hint: 'Completed events are kept for a day, failed ones for a week.',
  },
  EVENT_STATE: {
    kind: 'conflict',
    means: 'The event is not in a state from which this step is possible.',
    hint: 'Only pending events can be cancelled, only failed ones retried or discarded.',
  },
  EVENT_OVERTAKEN: {
    kind: 'conflict',
    means: 'Later operations on the same path are done, so doing the failed one now would undo them.',
    hint: 'Send the change anew, or discard the failed event.',
  },
  EVENT_FAILED: {
    kind: 'failed',
    means: 'The operation that was waited for failed. The message is that of the event.',
    hint: 'The event keeps the reason: GET /api/codex/events/{id}.',
  },
  QUEUE_FULL: {
    kind: 'unavailable',
    means: 'The notebook has as many waiting operations as it may have.',
    hint: 'Nothing was queued. Try again after the time in Retry-After.',
  },
  BATCH_TOO_LARGE: {
    kind: 'usage',
    means: 'The batch has more operations than the queue of a notebook can hold at all. Nothing was queued.',
    hint: 'Send it in parts. The limit is HOLDFAST_CODEX_MAX_PENDING.',
  },
  IDEMPOTENCY_MISMATCH: {
    kind: 'conflict',
    means: 'The idempotency key was used before for another operation.',
    hint: 'Use a fresh key for each new operation.',
  },
  LANE_LOST: {
    kind: 'unavailable',
    means: 'Another process took over the notebook because this one had not answered for too long.',
    hint: 'Nothing is lost: the other process goes on with the queue.',
  },
  WAIT_TIMEOUT: {
    kind: 'unavailable',
    means: 'The operation was queued, but not finished within the time to wait for it.',
    hint: 'It is not lost; ask for the state of the event.',
  },
  CONTENT_MISSING: {
    kind: 'failed',
    means: 'The staged content of an operation is not there, or is not what its hash says.',
    hint: 'Send the content again; run `holdfast codex reconcile` to compare the notebook with its index.',
  },
  GIT_UNAVAILABLE: {
    kind: 'unavailable',
    means: 'git is missing, or refused a command. The files and their index are not affected.',
    hint: 'The message has what git said. Waiting changes are committed once git works.',
  },
  GIT_PAUSED: {
    kind: 'conflict',
    means: 'The repository is in a state that belongs to its user: a merge, rebase or detached HEAD.',
    hint: 'Finish it; waiting changes are committed afterwards by themselves.',
  },
  WATCH_LIMIT: {
    kind: 'unavailable',
    means: 'The system does not let more files be watched. Changes in folders that are not are found by comparing.',
    hint: 'Raise fs.inotify.max_user_watches.',
  },
  SETTING_INVALID: {
    kind: 'usage',
    means: 'An environment variable HOLDFAST_CODEX_… has a value that cannot be used.',
    hint: 'The message names it and what it may be.',
  },
});

/** What was deleted and cannot be brought back. */
export function nothingInTrash(message: string): Error {
  return codexErrors.FILE_NOT_FOUND(message, {
    hint: 'What was deleted is kept for HOLDFAST_CODEX_TRASH_RETENTION, seven days at first; the history has it longer.',
  });
}
