/** Version of the package, equal to the one in package.json at the root. Change both for a release. */
export const VERSION = '0.1.0';
