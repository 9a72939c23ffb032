/** Types inferred from key templates: `s/{sid}/task/{id}` needs `{ sid: string; id: string }`. */

type KindValue<Kind extends string> = Kind extends 'u64' | `d${number}` ? number : Kind extends 'ns' ? bigint : string;

type DefaultKind<Name extends string> = Name extends 'seq' ? 'u64' : Name extends 'ts' ? 'ns' : 'text';

type PlaceholderName<Placeholder extends string> = Placeholder extends `${infer Name}:${string}` ? Name : Placeholder;
type PlaceholderType<Placeholder extends string> = Placeholder extends `${string}:${infer Kind}`
  ? KindValue<Kind>
  : KindValue<DefaultKind<Placeholder>>;

/** The placeholders of a template, left to right, as written. */
type PlaceholdersOf<Source extends string> = Source extends `${string}{${infer Placeholder}}${infer Rest}`
  ? [Placeholder, ...PlaceholdersOf<Rest>]
  : [];

export type PlaceholderNames<Source extends string> = PlaceholderName<PlaceholdersOf<Source>[number]>;

type Simplify<T> = { readonly [K in keyof T]: T[K] };

type KeyFrom<Placeholders extends readonly string[]> = {
  readonly [H in Placeholders[number] as PlaceholderName<H>]: PlaceholderType<H>;
};

export type KeyOf<Source extends string> = Simplify<KeyFrom<PlaceholdersOf<Source>>>;

type Prefixes<Placeholders extends readonly string[]> = Placeholders extends [...infer Front extends string[], string]
  ? Placeholders | Prefixes<Front>
  : [];

type WithNoOthers<Given extends readonly string[], All extends string> = KeyFrom<Given> & {
  readonly [Other in Exclude<All, PlaceholderName<Given[number]>>]?: never;
};

type Distribute<Given, All extends string> = Given extends readonly string[]
  ? Simplify<WithNoOthers<Given, All>>
  : never;

/**
 * Values for the leading placeholders of a template, as used by scans. If `{sid}` comes first, `{ id }` alone is a type
 * error.
 */
export type LeadingKeyOf<Source extends string> = Distribute<
  Prefixes<PlaceholdersOf<Source>>,
  PlaceholderNames<Source>
>;
