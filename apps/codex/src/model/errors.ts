import { defineErrors } from '@holdfast/base';

export const codexErrors = defineErrors({
  NOTEBOOK_NOT_FOUND: {
    kind: 'not_found',
    means: 'No notebook has this id or name.',
    hint: "List the notebooks with 'holdfast notebooks list'.",
  },
  NOTEBOOK_AMBIGUOUS: {
    kind: 'usage',
    means: 'Several notebooks exist, and none was chosen.',
    hint: 'Choose one; on the command line, use --notebook.',
  },
  NOTEBOOK_EXISTS: {
    kind: 'conflict',
    means: 'A notebook with this name already exists, or the folder overlaps the folder of another notebook.',
    hint: 'Choose another name or folder.',
  },
  NOTEBOOK_FOLDER: {
    kind: 'usage',
    means:
      'The path cannot be a notebook folder, for example because it is relative, a symbolic link or a system folder.',
    hint: 'Use the absolute path of a folder that you own. Holdfast creates the folder if it does not exist.',
  },
  NOTEBOOK_AWAY: {
    kind: 'unavailable',
    means: "The notebook's folder is missing, or an empty folder is in its place. No file is treated as deleted.",
    hint: 'Mount the disk; Holdfast continues when the folder is back. If the folder is permanently gone, remove the notebook.',
  },
  DISK_AWAY: {
    kind: 'unavailable',
    means: 'A disk that is normally mounted inside the notebook is not mounted. Its files are not treated as deleted.',
    hint: "Mount the disk. If the disk is permanently gone, run 'holdfast notebooks reconcile --without-disks'.",
  },
  OTHER_DISK: {
    kind: 'conflict',
    means:
      'The path is on a separate disk that is mounted inside the notebook. Holdfast writes a temporary file and renames it, which does not work across disks.',
    hint: 'Write the file with another program; Holdfast finds and commits it. Or mount the disk outside the notebook and add it as a separate notebook.',
  },
  NOTEBOOK_CLOSING: {
    kind: 'conflict',
    means: 'The notebook is being removed and accepts no new operations.',
    hint: 'Its files stay where they are. You can add the notebook again after the removal.',
  },
  PATH_INVALID: {
    kind: 'usage',
    means: 'Some operating systems do not allow this path. The message says which rule it breaks.',
    hint: 'Paths are relative to the notebook, with / between names, for example notes/today.md.',
  },
  PATH_LINK: {
    kind: 'conflict',
    means: 'The path contains a symbolic link, or something that is neither a file nor a folder.',
    hint: 'Nothing was changed. Replace the link with its target.',
  },
  NAME_COLLIDES: {
    kind: 'conflict',
    means: 'The name differs from an existing name only in case or Unicode normalisation.',
    hint: 'Choose another name. On some systems, both names would refer to the same file.',
  },
  FILE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The notebook has no such file, folder or commit, or the requested commit does not contain the file.',
    hint: "List the notebook's files. If the file was moved, find it by its id, which stays the same.",
  },
  FILE_EXISTS: {
    kind: 'conflict',
    means: 'A file or folder already exists at this path. Nothing was overwritten.',
    hint: 'Choose another path, or update the existing file.',
  },
  FILE_CHANGED: {
    kind: 'conflict',
    means: 'The file has changed since the version given in If-Match or base_hash.',
    hint: 'Your change was not applied. Read the file again, then repeat the change.',
  },
  FILE_TOO_LARGE: {
    kind: 'usage',
    means: 'The content exceeds the maximum file size.',
    hint: 'Use a smaller file, or raise the limit HOLDFAST_CODEX_MAX_FILE_BYTES.',
  },
  DISK_FULL: {
    kind: 'unavailable',
    means: "The notebook's disk has no space left for the content. Nothing was queued or changed.",
    hint: 'Free some space, then send the request again. Operations that are already queued continue automatically.',
  },
  ATTACHMENT_TYPE: {
    kind: 'usage',
    means: 'Files of this type cannot be attached, or the content does not match the file name.',
    hint: 'Attach images, audio, video, PDF, office documents, archives or text. Upload other types as ordinary files.',
  },
  PROPERTIES_INVALID: {
    kind: 'conflict',
    means: "The file's properties are invalid and cannot be edited safely, or the new properties cannot be written.",
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
    means: "The event's status does not allow this action.",
    hint: 'Only pending events can be cancelled. Only failed events can be retried or discarded.',
  },
  EVENT_OVERTAKEN: {
    kind: 'conflict',
    means: 'Later operations have changed the same path; retrying this operation would undo their changes.',
    hint: 'Send the change again, or discard the failed event.',
  },
  EVENT_FAILED: {
    kind: 'failed',
    means: 'The queued operation failed. The message says why.',
    hint: "Show the event for details: 'holdfast notebooks events show ID' or GET /api/codex/events/{id}.",
  },
  QUEUE_FULL: {
    kind: 'unavailable',
    means: "The notebook's queue is full.",
    hint: 'Nothing was queued. Try again after the time in Retry-After.',
  },
  BATCH_TOO_LARGE: {
    kind: 'usage',
    means: "The batch has more operations than a notebook's queue can hold. Nothing was queued.",
    hint: 'Split the batch, or raise the limit HOLDFAST_CODEX_MAX_PENDING.',
  },
  IDEMPOTENCY_MISMATCH: {
    kind: 'conflict',
    means: 'The idempotency key was already used for a different request.',
    hint: 'Use a new key for each new request. Reuse a key only to repeat its request.',
  },
  LANE_LOST: {
    kind: 'unavailable',
    means: 'Another process took over the notebook because this process did not renew its lease in time.',
    hint: 'Nothing is lost: the other process continues with the queue.',
  },
  WAIT_TIMEOUT: {
    kind: 'unavailable',
    means: 'The operation is queued, but did not finish within the given time.',
    hint: 'The operation is not lost. Wait for its event, or check later whether it is done.',
  },
  CONTENT_MISSING: {
    kind: 'failed',
    means: 'The stored content of a queued operation is missing or damaged.',
    hint: "Send the content again. Run 'holdfast notebooks reconcile' to compare the notebook with its index.",
  },
  GIT_UNAVAILABLE: {
    kind: 'unavailable',
    means: 'git is missing, or a git command failed. The files and index of the notebook are not affected.',
    hint: "The message contains git's output. Pending changes are committed when git works again.",
  },
  GIT_PAUSED: {
    kind: 'conflict',
    means: 'Commits are paused because a merge, a rebase or a similar operation is in progress, or HEAD is detached.',
    hint: 'Finish or abort the git operation, or check out a branch. Pending changes are committed afterwards.',
  },
  REMOTE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The notebook has no remote with this name.',
    hint: "List the remotes with 'holdfast notebooks remote list'.",
  },
  REMOTE_EXISTS: {
    kind: 'conflict',
    means: 'The notebook already has a remote with this name.',
    hint: 'Choose another name, or remove the existing remote first.',
  },
  REMOTE_UNSUITABLE: {
    kind: 'conflict',
    means:
      'The notebook cannot be synced now: it is paused, another branch is checked out, or it is only a part of a repository.',
    hint: 'Resolve the cause that the message names, then sync again.',
  },
  REMOTE_KEY_MISSING: {
    kind: 'unavailable',
    means:
      'The stored token of a remote cannot be decrypted, because the key file is missing or belongs to another data home.',
    hint: 'Restore keys/notebooks.key in the data home, or remove the remote and add it again.',
  },
  SYNC_UNFINISHED: {
    kind: 'unavailable',
    means: 'A sync was started but could not be finished. Nothing is lost; the next sync continues it.',
    hint: 'The message gives the reason. Sync again later.',
  },
  WATCH_LIMIT: {
    kind: 'unavailable',
    means:
      'The system allows no more file watches. In folders that are not watched, Holdfast finds changes later, by a ' +
      'periodic comparison.',
    hint: 'Raise the limit, for example: sysctl fs.inotify.max_user_watches=1048576',
  },
  SETTING_INVALID: {
    kind: 'usage',
    means: 'A HOLDFAST_CODEX_… environment variable has an invalid value.',
    hint: 'Correct the variable that the message names; the message also gives its valid values.',
  },
});

/** Returns the error for deleted files that are no longer in the trash. */
export function nothingInTrash(message: string): Error {
  return codexErrors.FILE_NOT_FOUND(message, {
    hint: 'Deleted files are kept for HOLDFAST_CODEX_TRASH_RETENTION (default: seven days). The git history keeps them longer.',
  });
}
