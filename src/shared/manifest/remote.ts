import type { Static } from 'typebox';
import * as Type from 'typebox';

/** Location of a remote plugin, which is built and hosted elsewhere, and the digest that pins its build. */
export const RemoteSchema = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9-]*$', description: 'Id of the plugin.' }),
    manifest: Type.String({
      pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1)[:/]).+\\.json$',
      description: 'HTTPS URL of the manifest.json of its build.',
    }),
    integrity: Type.String({
      pattern: '^sha(256|384|512)-[A-Za-z0-9+/]+=*$',
      description: 'Digest of that file, as printed by the build of the plugin: sha384-….',
    }),
    options: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description: 'Options of the plugin in this deployment.' })),
  },
  { additionalProperties: false },
);

/** A remote plugin, as a manifest lists it. */
export type RemoteListing = Readonly<Static<typeof RemoteSchema>>;

/** Metadata in the build of a remote plugin. */
export interface RemoteManifest {
  readonly id: string;
  readonly version: string;
  /** Version ranges of the shared packages that it was built with: `^19.3.1`. */
  readonly shared: Readonly<Record<string, string>>;
  /** Entry file, beside the manifest; its digest covers all files that it loads. */
  readonly entry: { readonly file: string; readonly integrity: string };
  /** JSON Schema of the plugin's options. */
  readonly options?: { readonly properties?: Readonly<Record<string, { readonly default?: unknown }>> };
}

/** Returns the other origins from which a console with these plugins loads scripts and styles; packages that its own server delivers are listed by their path. */
export const originsOf = (remotes: readonly RemoteListing[] = []): string[] => [
  ...new Set(remotes.flatMap(({ manifest }) => (manifest.startsWith('/') ? [] : [new URL(manifest).origin]))),
];
