import { Boolean as Bool, Integer, Array as List, Literal, Optional as Omissible, Object as Shape, type Static, String as Text, Union, Unsafe } from 'typebox';
import { type RemoteListing, RemoteSchema } from './remote.ts';
import type { Words } from './text.ts';

const closed = { additionalProperties: false };
const words = (description: string) =>
  Unsafe<Words>({ type: 'array', items: { type: 'string', minLength: 1 }, minItems: 2, maxItems: 2, description: `${description} In Chinese and in English.` });
const names = (description: string) => Unsafe<readonly string[]>({ type: 'array', items: { type: 'string', minLength: 1 }, uniqueItems: true, description });
const picture = (description: string) => Omissible(Text({ description: `${description} Named from this file’s folder (./brand/logo.svg), or an address.` }));

/** What a tenant puts in place of the product's own looks. Files are named from the manifest's folder (`./brand/logo.svg`) and become part of the build, or by an address. */
const BrandSchema = Shape(
  {
    name: Omissible(Text({ minLength: 1, description: 'In place of the name of the product.' })),
    title: Omissible(words('In place of the title of the product.')),
    logo: picture('In place of the mark of the product; square, or as wide as its head has room.'),
    favicon: picture('The icon of the browser’s tab.'),
    background: picture('A picture behind the left half of the sign-in page, in place of the drawing.'),
    colour: Omissible(Text({ pattern: '^#[0-9a-fA-F]{6}$', description: 'In place of every theme’s own until an operator picks one.' })),
  },
  { ...closed, description: 'What a tenant puts in place of the looks of the product.' },
);

/** What a deployment is made of: `plugins.manifest.json`, and those that extend it. A plugin that is not listed is absent from bundle, menu, codes and API. */
export const ManifestSchema = Shape(
  {
    product: Shape({ name: Text({ minLength: 1 }), title: words('What the software is.') }, { ...closed, description: 'What the software is called.' }),
    brand: Omissible(BrandSchema),
    storagePrefix: Text({ pattern: '^[a-z][a-z0-9-]*-$', description: 'Begins every key the console writes to browser storage and every cookie.' }),
    language: Union([Literal('zh'), Literal('en')], { description: 'Of those who chose none.' }),
    theme: Unsafe<string>({
      type: 'string',
      enum: ['default', 'white', 'dark', 'star', 'bule', 'iview', 'vip', 'cool', 'd2', 'hey', 'lte'].map((name) => `theme-${name}`),
      description: 'Of those who chose none.',
    }),
    homePath: Text({ pattern: '^/', description: 'The page that is open when nobody asked for another.' }),
    tokenTime: Integer({ minimum: 1, description: 'Age in seconds at which the console refreshes its token.' }),
    clientId: Omissible(Text({ minLength: 1, description: 'The public client of the token endpoint; sryx where nothing is said.' })),
    statusWhitelist: Omissible(
      Unsafe<readonly number[]>({ ...List(Integer()), description: 'Codes of the envelope that reject instead of being toasted and answered.' }),
    ),
    apiBase: Omissible(Text({ description: 'Where the API is when it is not where the console came from.' })),
    modes: Shape({ tenant: Bool(), switch: Bool(), debug: Bool() }, closed),
    frames: Omissible(
      names('Origins whose pages may be embedded, as the Content-Security-Policy writes them: https://reports.example.com, https://*.example.com.'),
    ),
    remotes: Omissible(
      Unsafe<readonly RemoteListing[]>({
        ...List(RemoteSchema),
        description: 'Plugins that were built and are hosted elsewhere; one takes the place of the console’s half of a plugin with its name.',
      }),
    ),
    plugins: Unsafe<readonly PluginEntry[]>({
      type: 'array',
      uniqueItems: true,
      items: {
        type: ['string', 'object'],
        minLength: 1,
        properties: {
          use: { type: 'string', minLength: 1, description: 'The name of a folder in src/plugins, a path (./) or a package (npm:).' },
          options: { type: 'object', description: 'What this deployment settles about it.' },
        },
        required: ['use'],
        additionalProperties: false,
      },
      description:
        'Plugins, each the name of a folder in src/plugins, the path of one from this file (./), or a package (npm:@acme/loyalty); one whose folder does not exist is warned about and skipped. With options: { "use": "sms", "options": { … } }.',
    }),
  },
  closed,
);

/** One plugin of a manifest, with what the deployment settles about it where that is not the usual. */
export type PluginEntry = string | { readonly use: string; readonly options?: Readonly<Record<string, unknown>> };

export type Brand = Static<typeof BrandSchema>;

/** A manifest as a file says it, what it extends put in. */
export type ManifestFile = Static<typeof ManifestSchema>;

/** A manifest as it is used: `plugins` are their ids. */
export type Manifest = Omit<ManifestFile, 'plugins'> & { readonly clientId: string; readonly plugins: readonly string[] };
