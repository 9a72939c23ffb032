import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const BYTES: number = 256 * 1024 * 1024;
/**
 * Calls the kernel's EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: the file system stops at once, and everything
 * that was not synced is lost. Uses perl, because Node cannot call ioctl.
 */
const SHUT_DOWN =
  'open(my $disk, "<", $ARGV[0]) or die "open: $!"; my $flags = pack("L", 2); ioctl($disk, 0x8004587d, $flags) or die "ioctl: $!"';
const UNMOUNT_TRIES = 50;
const UNMOUNT_PAUSE_MS = 20;
const RESTART_TRIES = 100;
const RESTART_PAUSE_MS = 300;

/** A folder that loses everything unsynced when its power is cut. */
export interface PowerDisk {
  readonly folder: string;
  /** A library that every process on the disk must preload, with the variables that it needs. */
  readonly preload: { readonly library: string; readonly env: Readonly<Record<string, string>> } | undefined;
  cut(): Promise<unknown>;
  /** Makes the disk usable again, as a restart would. Call it only while no process uses the disk. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/** Creates an empty disk below `folder`. Without root or loop devices, the disk only drops unsynced writes. */
export function createPowerDisk(folder: string, isPlain: boolean): Promise<PowerDisk> {
  const canMount = process.getuid?.() === 0 && existsSync('/dev/loop-control');
  return canMount && !isPlain ? LoopDisk.create(folder) : PlainDisk.create(folder);
}

/** An ext4 file system in a file. Needs root and loop devices. */
class LoopDisk implements PowerDisk {
  readonly preload = undefined;
  readonly folder: string;
  readonly #image: string;

  private constructor(image: string, folder: string) {
    this.#image = image;
    this.folder = folder;
  }

  static async create(folder: string): Promise<LoopDisk> {
    const image = join(folder, 'disk.img');
    const mountPoint = join(folder, 'disk');
    mkdirSync(mountPoint, { recursive: true });
    writeFileSync(image, '');
    truncateSync(image, BYTES);
    await run('mkfs.ext4', ['-q', '-F', image]);
    const disk = new LoopDisk(image, mountPoint);
    await disk.#mount();
    return disk;
  }

  cut(): Promise<unknown> {
    return run('perl', ['-e', SHUT_DOWN, this.folder]);
  }

  /** Tries again while another mount namespace, for example that of a sandbox, still holds the disk. */
  async restart(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await this.#unmount();
      await this.#mount();
      try {
        readdirSync(this.folder);
        return;
      } catch (error) {
        if (attempt === RESTART_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS));
      }
    }
  }

  async remove(): Promise<void> {
    await this.#unmount();
    rmSync(this.#image);
  }

  #mount(): Promise<unknown> {
    return run('mount', ['-o', 'loop', this.#image, this.folder]);
  }

  /** Tries again while the kernel is still closing the files of killed processes. */
  async #unmount(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await run('umount', [this.folder]);
        return;
      } catch (error) {
        if (attempt === UNMOUNT_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, UNMOUNT_PAUSE_MS));
      }
    }
  }
}

const UNSYNCED_WRITES = 'scripts/crash/lib/unsynced-writes.c';

/**
 * A folder whose unsynced writes are undone by a library that the processes preload. Unlike on a real disk, created,
 * renamed and deleted names are never lost.
 */
class PlainDisk implements PowerDisk {
  readonly folder: string;
  readonly preload: NonNullable<PowerDisk['preload']>;
  readonly #undo: string;

  private constructor(folder: string, undo: string, library: string) {
    this.folder = folder;
    this.#undo = undo;
    this.preload = { library, env: { POWER_FOLDER: `${folder}/`, POWER_UNDO: undo } };
  }

  static async create(folder: string): Promise<PlainDisk> {
    const [disk, undo] = [join(folder, 'disk'), join(folder, 'undo')];
    for (const each of [disk, undo]) mkdirSync(each);
    return new PlainDisk(disk, undo, await compiled(UNSYNCED_WRITES, join(folder, 'unsynced-writes.so')));
  }

  async cut(): Promise<void> {
    writeFileSync(join(this.#undo, 'cut'), '');
  }

  async restart(): Promise<void> {
    for (const entry of readdirSync(this.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const { ino, birthtimeNs } = statSync(path, { bigint: true });
      const copy = join(this.#undo, `${ino}.${birthtimeNs}`);
      if (existsSync(copy)) writeFileSync(path, readFileSync(copy));
    }
    rmSync(this.#undo, { recursive: true });
    mkdirSync(this.#undo);
  }

  async remove(): Promise<void> {
    rmSync(this.folder, { recursive: true });
  }
}

async function compiled(source: string, library: string): Promise<string> {
  await run(process.env['CC'] ?? 'gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
  return library;
}

const FALSE_SYNC = 'int fsync(int file) { return 0; }\nint fdatasync(int file) { return 0; }\n';

/**
 * Compiles an LD_PRELOAD library that makes every sync report success without syncing, as with `synchronous = OFF`.
 */
export async function falseSyncs(folder: string): Promise<string> {
  const source = join(folder, 'false-sync.c');
  const library = join(folder, 'false-sync.so');
  writeFileSync(source, FALSE_SYNC);
  return compiled(source, library);
}
