import { accessSync, constants, existsSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';

import { EARLIEST_NOW, isWithin, MEBIBYTE, MINUTE, toTimestamp } from '@holdfast/base';
import { sqliteVersion } from '@holdfast/sqlite';

/** Result of checking one condition on which Holdfast's promises depend; see docs/reliability.md. */

export interface Check {
  readonly name: string;
  /** A warning means that a promise is weaker. A problem makes `holdfast doctor` fail. */
  readonly status: 'ok' | 'warning' | 'problem';
  readonly reason: string;
  /** Action for the user; null if nothing is wrong. */
  readonly action: string | null;
}

export const ok = (name: string, reason: string): Check => ({ name, status: 'ok', reason, action: null });
export const warning = (name: string, reason: string, action: string): Check => ({
  name,
  status: 'warning',
  reason,
  action,
});
export const problem = (name: string, reason: string, action: string): Check => ({
  name,
  status: 'problem',
  reason,
  action,
});

const NODE_MINIMUM = '20.19.0';
/** Earlier versions can corrupt a database when two processes checkpoint at once (sqlite.org/wal.html#walresetbug). */
const SQLITE_MINIMUM = '3.51.3';
const SPACE_MINIMUM = 256 * MEBIBYTE;
const DESCRIPTORS_MINIMUM = 4_096;
const WATCHES_MINIMUM = 8_192;
const INSTANCES_MINIMUM = 128;

export function checkPreconditions(home: string): Check[] {
  const versions = [checkNode(process.versions.node), checkSqlite(sqliteVersion())];
  const limits = [
    checkWatches((name) => Number.parseInt(textOf(`/proc/sys/fs/inotify/${name}`), 10)),
    checkDescriptors(textOf('/proc/self/limits')),
  ];
  if (!existsSync(home)) return [...versions, ok('Data home', `${home} (created on first use)`), ...limits];
  try {
    const { bavail, bsize } = statfsSync(home);
    const mounts = textOf('/proc/self/mountinfo');
    const folder = [checkHome(home), checkSpace(bavail * bsize), checkFileSystem(realpathSync(home), mounts)];
    return [...versions, ...folder, ...limits];
  } catch (error) {
    const unreadable = problem('Data home', `${home}: ${(error as Error).message}`, 'Check its owner and mode.');
    return [...versions, unreadable, ...limits];
  }
}

function checkNode(version: string): Check {
  if (!isOlder(version, NODE_MINIMUM)) return ok('Node.js', version);
  return problem('Node.js', version, `Install Node.js ${NODE_MINIMUM} or later.`);
}

export function checkSqlite(version: string): Check {
  if (!isOlder(version, SQLITE_MINIMUM)) return ok('SQLite', version);
  const reason = `${version}: in rare cases, two processes that write at once can corrupt a database`;
  return warning('SQLite', reason, `Install a version of Node.js that contains SQLite ${SQLITE_MINIMUM} or later.`);
}

function isOlder(version: string, minimum: string): boolean {
  const [found, needed] = [version, minimum].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)));
  const at = needed!.findIndex((part, index) => part !== found![index]);
  return at !== -1 && found![at]! < needed![at]!;
}

function checkHome(home: string): Check {
  const found = statSync(home);
  const [mode, uid] = [found.mode & 0o777, found.uid];
  if (!found.isDirectory()) return problem('Data home', `${home} is not a folder`, 'Set HOLDFAST_HOME to a folder.');
  if (!isUsable(home)) return problem('Data home', `${home}: no permission to use it`, 'Check its owner and mode.');
  if ((mode & 0o077) !== 0) {
    return problem('Data home', `${home}: other users have access (mode ${mode.toString(8)})`, `chmod 700 ${home}`);
  }
  const user = process.getuid?.() ?? uid;
  if (uid === user) return ok('Data home', home);
  return warning('Data home', `${home} belongs to user ${uid}, not to you (${user})`, `chown ${user} ${home}`);
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function checkSpace(free: number): Check {
  const reason = `${Math.round(free / MEBIBYTE)} MiB free`;
  if (free >= SPACE_MINIMUM) return ok('Free space', reason);
  return problem('Free space', reason, `Free at least ${SPACE_MINIMUM / MEBIBYTE} MiB.`);
}

const NETWORK =
  /^(?:nfs\d?|cifs|smb\w*|9p|afs|coda|ceph|lustre|gpfs|ncpfs|fuse\.(?:sshfs|rclone|s3fs|ceph|glusterfs|davfs2?))$/;
const MEMORY = /^(?:tmpfs|ramfs)$/;
/** Mount options with which fsync does not reach the disk. A power cut can then lose acknowledged commits. */
const UNSAFE = /^(?:nobarrier|barrier=0|fsync_mode=nobarrier|sync=disabled)$/;

/** `mounts` has the format of /proc/self/mountinfo. */
export function checkFileSystem(folder: string, mounts: string): Check {
  const name = 'File system';
  let found: { readonly point: string; readonly type: string; readonly options: readonly string[] } | undefined;
  for (const line of mounts.split('\n')) {
    const [mount = '', source = ''] = line.split(' - ');
    const [, , , , point, options = ''] = mount.split(' ').map(unescapeMount);
    const [type = '', , more = ''] = source.split(' ');
    if (point === undefined || !isWithin(folder, point) || (found?.point.length ?? 0) > point.length) continue;
    found = { point, type, options: [...options.split(','), ...more.split(',')] };
  }
  if (found === undefined) return ok(name, 'not checked on this system');
  const { point, type, options } = found;
  const reason = `${type} at ${point}`;
  const move = 'Set HOLDFAST_HOME to a folder on a local disk.';
  if (NETWORK.test(type)) return problem(name, `${reason}: file locks are unreliable on network file systems`, move);
  if (options.includes('ro')) return problem(name, `${reason} is mounted read-only`, `mount -o remount,rw ${point}`);
  if (MEMORY.test(type)) return warning(name, `${reason} is in memory: restarting the machine deletes all data`, move);
  const unsafe = options.filter((option) => UNSAFE.test(option));
  if (unsafe.length === 0) return ok(name, reason);
  const loss = `${reason} is mounted with ${unsafe.join(', ')}: a power cut can lose acknowledged changes`;
  return warning(name, loss, `Mount ${point} without ${unsafe.join(', ')}.`);
}

/** mountinfo writes spaces and other special characters as octal escapes. */
function unescapeMount(text: string): string {
  return text.replaceAll(/\\(\d{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}

/** `newest` is the time of the last stored commit, in milliseconds. */
export function checkClock(now: number, newest: number): Check {
  const action = 'Set the clock, for example with: timedatectl set-ntp true';
  if (now < EARLIEST_NOW) return problem('Clock', `${toTimestamp(now)} is in the past`, action);
  if (newest <= now + MINUTE) return ok('Clock', toTimestamp(now));
  return problem('Clock', `${toTimestamp(now)} is before the last stored commit (${toTimestamp(newest)})`, action);
}

/** `limitOf` reads a value below /proc/sys/fs/inotify; NaN if the system has no such value. */
export function checkWatches(limitOf: (name: string) => number): Check {
  const name = 'File watches';
  const [watches, instances] = [limitOf('max_user_watches'), limitOf('max_user_instances')];
  const reason = `at most ${watches} watches and ${instances} instances per user`;
  if (Number.isNaN(watches) || Number.isNaN(instances)) return ok(name, 'not checked on this system');
  const settings = [
    ...(watches < WATCHES_MINIMUM ? [`fs.inotify.max_user_watches=${WATCHES_MINIMUM}`] : []),
    ...(instances < INSTANCES_MINIMUM ? [`fs.inotify.max_user_instances=${INSTANCES_MINIMUM}`] : []),
  ];
  if (settings.length === 0) return ok(name, reason);
  return warning(name, `${reason}: changes by other programs may be noticed late`, `sysctl ${settings.join(' ')}`);
}

/** `limits` has the format of /proc/self/limits. */
export function checkDescriptors(limits: string): Check {
  const name = 'Open files';
  const [, limit] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  if (limit === undefined) return ok(name, limits === '' ? 'not checked on this system' : 'unlimited');
  const reason = `at most ${limit} per process`;
  if (Number(limit) >= DESCRIPTORS_MINIMUM) return ok(name, reason);
  return warning(name, `${reason}: the server may refuse connections`, `ulimit -n ${DESCRIPTORS_MINIMUM}`);
}

/** Returns an empty text for files that do not exist on this system. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
