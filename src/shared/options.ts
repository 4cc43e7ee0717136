import { Object as Shape, type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** What a deployment may settle about a plugin in its manifest; a default makes an option one that need not be said. */
export interface OptionsSchema<Everywhere extends TProperties = TProperties, OnServer extends TProperties = TProperties> extends TSchema {
  /** Names of those that no browser is told. */
  readonly onServer: readonly string[];
  /** Carries which half reads what; never set. */
  readonly halves?: { readonly everywhere: Everywhere; readonly onServer: OnServer };
}

type None = Record<never, never>;

/** Declares the options of a plugin, the default export of its `options.ts`: those of `everywhere` are read by both halves, those of `onServer` never leave the server. */
export function options<Everywhere extends TProperties = None, OnServer extends TProperties = None>(declared: {
  readonly everywhere?: Everywhere;
  readonly onServer?: OnServer;
}): OptionsSchema<Everywhere, OnServer> {
  const { everywhere = {}, onServer = {} } = declared;
  const shape = Shape({ ...everywhere, ...onServer }, { additionalProperties: false, onServer: Object.keys(onServer) });
  return shape as unknown as OptionsSchema<Everywhere, OnServer>;
}

/** The options of a plugin as its server's half reads them. */
export type ServerOptions<Schema> = Schema extends OptionsSchema<infer Everywhere, infer OnServer> ? Readonly<Static<TObject<Everywhere & OnServer>>> : object;

/** The options of a plugin as its console's half reads them. */
export type ConsoleOptions<Schema> = Schema extends OptionsSchema<infer Everywhere, TProperties> ? Readonly<Static<TObject<Everywhere>>> : object;
