import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
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

/** An ext4 file system in a file, whose power can be cut. Needs root and loop devices. */
export class PowerDisk {
  readonly folder: string;
  readonly #image: string;

  private constructor(image: string, folder: string) {
    this.#image = image;
    this.folder = folder;
  }

  /** Creates an empty disk below `folder`, and mounts it. */
  static async create(folder: string): Promise<PowerDisk> {
    if (process.getuid?.() !== 0 || !existsSync('/dev/loop-control')) {
      throw new Error('Power cuts need root and loop devices: run the campaign as root on Linux.');
    }
    const image = join(folder, 'disk.img');
    const mountPoint = join(folder, 'disk');
    mkdirSync(mountPoint, { recursive: true });
    writeFileSync(image, '');
    truncateSync(image, BYTES);
    await run('mkfs.ext4', ['-q', '-F', image]);
    const disk = new PowerDisk(image, mountPoint);
    await disk.#mount();
    return disk;
  }

  cut(): Promise<unknown> {
    return run('perl', ['-e', SHUT_DOWN, this.folder]);
  }

  /** Mounts the disk again, as after a restart. No process may use it. */
  async restart(): Promise<void> {
    await this.#unmount();
    await this.#mount();
  }

  async remove(): Promise<void> {
    await this.#unmount();
    rmSync(this.#image);
  }

  #mount(): Promise<unknown> {
    return run('mount', ['-o', 'loop', this.#image, this.folder]);
  }

  /** Tries again while the kernel still closes the files of killed processes. */
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

const FALSE_SYNC = 'int fsync(int file) { return 0; }\nint fdatasync(int file) { return 0; }\n';

/**
 * Compiles an LD_PRELOAD library that makes every sync report success without syncing, as with `synchronous = OFF`.
 */
export async function falseSyncs(folder: string): Promise<string> {
  const source = join(folder, 'false-sync.c');
  const library = join(folder, 'false-sync.so');
  writeFileSync(source, FALSE_SYNC);
  await run(process.env['CC'] ?? 'gcc', ['-shared', '-fPIC', '-o', library, source]);
  return library;
}
