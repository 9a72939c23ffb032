/** How a program behaves when its Debian packages are unpacked into a folder instead of installed. Paths start at that folder. */
export interface Unpacked {
  /** The program itself, when `usr/bin/<binary>` is a script that knows only absolute paths. */
  readonly program?: string;
  /** `{root}` stands for the folder of the unpacked packages. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** One real program that tests or features use. */
export interface Component {
  readonly name: string;
  readonly binary: string;
  readonly versionArgs: readonly string[];
  readonly neededFor: string;
  readonly debianPackages: readonly string[];
  readonly brew?: string;
  /** A C header that has to be there as well: a compiler alone cannot compile. */
  readonly header?: string;
  readonly npmPackage?: string;
  /** Where an npm package puts the program, inside the cache folder. Such a program is never looked for on PATH. */
  readonly npmFolder?: string;
  readonly unpacked?: Unpacked;
}

export declare const components: readonly Component[];
export declare function selectComponents(names: readonly string[]): readonly Component[];
