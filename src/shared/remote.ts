import { Optional as Omissible, Object as Shape, type Static, String as Text, Unsafe } from 'typebox';

/** Where a plugin is fetched from that was built and is hosted elsewhere, and the digest that says which build of it is meant. */
export const RemoteSchema = Shape(
  {
    id: Text({ pattern: '^[a-z][a-z0-9-]*$', description: 'What the plugin calls itself.' }),
    manifest: Text({
      pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1)[:/]).+\\.json$',
      description: 'The address of the manifest.json that was made with it, over https.',
    }),
    integrity: Text({
      pattern: '^sha(256|384|512)-[A-Za-z0-9+/]+=*$',
      description: 'The digest of that file, as the build of the plugin has said it: sha384-….',
    }),
    options: Omissible(Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description: 'What this deployment settles about it.' })),
  },
  { additionalProperties: false },
);

/** A plugin from elsewhere, as a manifest lists it. */
export type RemoteListing = Readonly<Static<typeof RemoteSchema>>;

/** What the build of a remote plugin says of itself. */
export interface RemoteManifest {
  readonly id: string;
  readonly version: string;
  /** Ranges of the versions it was built with, of what it is lent: `^19.3.1`. */
  readonly shared: Readonly<Record<string, string>>;
  /** Its first file, beside the manifest; its digest covers whatever that fetches. */
  readonly entry: { readonly file: string; readonly integrity: string };
  /** JSON Schema of its options. */
  readonly options?: { readonly properties?: Readonly<Record<string, { readonly default?: unknown }>> };
}

/** Origins whose scripts and styles a console with these plugins runs. */
export const originsOf = (remotes: readonly RemoteListing[] = []): string[] => [...new Set(remotes.map(({ manifest }) => new URL(manifest).origin))];
