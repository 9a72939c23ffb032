export interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type LockEntries = Readonly<Record<string, LockEntry>>;

export declare function missingEntries(packages: LockEntries): LockEntries;
export declare function withEntries(packages: LockEntries, added: LockEntries): LockEntries;
