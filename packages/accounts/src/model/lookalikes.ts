import { codePoints } from './code-points.ts';

/**
 * Greek and Cyrillic letters, in lower case, that look like Latin ones in common fonts, in either case (from the
 * confusables of Unicode UTS #39). A name made of nothing else could pass for a Latin name.
 */
const cyrillic = 'авекмнорстухіјѕһԁԛԝүӏеґ';
const greek = 'αβγεζηικμνορτυχω';

export const latinLookalikes: ReadonlySet<string> = new Set(codePoints(cyrillic + greek));
