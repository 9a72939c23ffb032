/** How a program runs when its Debian packages are unpacked instead of installed. Paths start at that folder. */
export interface Unpacked {
  /** The program itself, if `usr/bin/<binary>` is a script with absolute paths. */
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
  /** A required C header: a compiler alone cannot compile. */
  readonly header?: string;
  readonly npmPackage?: string;
  /** Program folder of an npm package inside the cache. Such a program is never looked up on PATH. */
  readonly npmFolder?: string;
  readonly unpacked?: Unpacked;
}

export declare const components: readonly Component[];
export declare function selectComponents(names: readonly string[]): readonly Component[];
