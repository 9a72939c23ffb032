/** Types inferred from key templates: `s/{sid}/task/{id}` needs `{ sid: string; id: string }`. */

type KindValue<Kind extends string> = Kind extends 'u64' | `d${number}` ? number : Kind extends 'ns' ? bigint : string;

type DefaultKind<Name extends string> = Name extends 'seq' ? 'u64' : Name extends 'ts' ? 'ns' : 'text';

type HoleName<Hole extends string> = Hole extends `${infer Name}:${string}` ? Name : Hole;
type HoleType<Hole extends string> = Hole extends `${string}:${infer Kind}`
  ? KindValue<Kind>
  : KindValue<DefaultKind<Hole>>;

/** The holes of a template, left to right, as written. */
type HolesOf<Source extends string> = Source extends `${string}{${infer Hole}}${infer Rest}`
  ? [Hole, ...HolesOf<Rest>]
  : [];

export type HoleNames<Source extends string> = HoleName<HolesOf<Source>[number]>;

type Simplify<T> = { readonly [K in keyof T]: T[K] };

type KeyFrom<Holes extends readonly string[]> = { readonly [H in Holes[number] as HoleName<H>]: HoleType<H> };

export type KeyOf<Source extends string> = Simplify<KeyFrom<HolesOf<Source>>>;

type Prefixes<Holes extends readonly string[]> = Holes extends [...infer Front extends string[], string]
  ? Holes | Prefixes<Front>
  : [];

type WithNoOthers<Given extends readonly string[], All extends string> = KeyFrom<Given> & {
  readonly [Other in Exclude<All, HoleName<Given[number]>>]?: never;
};

type Distribute<Given, All extends string> = Given extends readonly string[]
  ? Simplify<WithNoOthers<Given, All>>
  : never;

/** Values for the first holes of a template, as a scan needs. `{ id }` alone is a type error if `{sid}` is first. */
export type LeadingKeyOf<Source extends string> = Distribute<Prefixes<HolesOf<Source>>, HoleNames<Source>>;
