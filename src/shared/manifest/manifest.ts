import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { LocalizedText } from '../text/text.ts';
import { type RemoteListing, RemoteSchema } from './remote.ts';

const closed = { additionalProperties: false };
const localizedText = (description: string) =>
  Type.Unsafe<LocalizedText>({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 2,
    maxItems: 2,
    description: `${description} In Chinese and in English.`,
  });
const names = (description: string) =>
  Type.Unsafe<readonly string[]>({ type: 'array', items: { type: 'string', minLength: 1 }, uniqueItems: true, description });
const picture = (description: string) =>
  Type.Optional(Type.String({ description: `${description} Named from this file’s folder (./brand/logo.svg), or an address.` }));

/** Brand of a tenant, in place of the product's own. Files are paths relative to the manifest (`./brand/logo.svg`), which become part of the build, or addresses. */
const BrandSchema = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, description: 'In place of the name of the product.' })),
    title: Type.Optional(localizedText('In place of the title of the product.')),
    logo: picture('In place of the mark of the product; square, or as wide as its head has room.'),
    favicon: picture('The icon of the browser’s tab.'),
    background: picture('A picture behind the left half of the sign-in page, in place of the drawing.'),
    colour: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'In place of every theme’s own until an operator picks one.' })),
  },
  { ...closed, description: 'What a tenant puts in place of the looks of the product.' },
);

const cipherKey = (description: string) =>
  Type.Optional(Type.String({ pattern: '^([ -~]{16}|[ -~]{32})$', description: `${description} 16 or 32 ASCII characters.` }));

/** Format of the console's requests, where a server or a gateway needs another than the default. */
const RequestsSchema = Type.Object(
  {
    clientHeader: Type.Optional(
      Type.Boolean({
        description: 'False: no request names the client in its Authorization header; the token endpoint gets `client_id` in its body. True unless given.',
      }),
    ),
    tokenKey: cipherKey('Encrypts the access token in its header (`crypto …`): the TOKEN_CRYPTO_KEY of the server.'),
    bodyKey: cipherKey('Encrypts the queries and bodies of API calls: the BODY_CRYPTO_KEY of the server.'),
  },
  { ...closed, description: 'The form of requests. Everybody who opens the console can read the keys: they hide, they do not protect. Use TLS.' },
);

/**
 * Contents of a deployment: `plugins.manifest.json`, and manifests that extend it. A plugin that is not listed is absent from bundle, menu, permission codes and
 * API.
 */
export const ManifestSchema = Type.Object(
  {
    product: Type.Object(
      { name: Type.String({ minLength: 1 }), title: localizedText('What the software is.') },
      { ...closed, description: 'What the software is called.' },
    ),
    brand: Type.Optional(BrandSchema),
    storagePrefix: Type.String({ pattern: '^[a-z][a-z0-9-]*-$', description: 'Begins every key the console writes to browser storage and every cookie.' }),
    language: Type.Union([Type.Literal('zh'), Type.Literal('en')], { description: 'Of those who chose none.' }),
    theme: Type.Unsafe<string>({
      type: 'string',
      enum: ['default', 'white', 'dark', 'star', 'bule', 'iview', 'vip', 'cool', 'd2', 'hey', 'lte'].map((name) => `theme-${name}`),
      description: 'Of those who chose none.',
    }),
    homePath: Type.String({ pattern: '^/', description: 'The page that is open when nobody asked for another.' }),
    tokenTime: Type.Integer({ minimum: 1, description: 'Age in seconds at which the console refreshes its token.' }),
    clientId: Type.Optional(Type.String({ minLength: 1, description: 'The public client of the token endpoint; sryx where nothing is said.' })),
    statusWhitelist: Type.Optional(
      Type.Unsafe<readonly number[]>({
        ...Type.Array(Type.Integer()),
        description: 'Codes of the envelope that reject instead of being toasted and answered.',
      }),
    ),
    apiBase: Type.Optional(Type.String({ description: 'Where the API is when it is not where the console came from.' })),
    requests: Type.Optional(RequestsSchema),
    expiredSession: Type.Optional(
      Type.Union([Type.Literal('dialog'), Type.Literal('signIn')], {
        description:
          'After a session has expired: `dialog` signs in again over the page and keeps what was typed, `signIn` clears the session and opens /login. `dialog` unless given.',
      }),
    ),
    modes: Type.Object({ tenant: Type.Boolean(), switch: Type.Boolean(), debug: Type.Boolean() }, closed),
    frames: Type.Optional(
      names('Origins whose pages may be embedded, as the Content-Security-Policy writes them: https://reports.example.com, https://*.example.com.'),
    ),
    remotes: Type.Optional(
      Type.Unsafe<readonly RemoteListing[]>({
        ...Type.Array(RemoteSchema),
        description: 'Plugins that were built and are hosted elsewhere; one takes the place of the console’s half of a plugin with its name.',
      }),
    ),
    plugins: Type.Unsafe<readonly PluginEntry[]>({
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

/** One plugin of a manifest, with the options that the deployment sets. */
export type PluginEntry = string | { readonly use: string; readonly options?: Readonly<Record<string, unknown>> };

export type Brand = Static<typeof BrandSchema>;

/** A manifest file after the manifest that it extends has been merged in. */
export type ManifestFile = Static<typeof ManifestSchema>;

/** A manifest as the console and the server use it: `plugins` are plugin ids. */
export type Manifest = Omit<ManifestFile, 'plugins'> & { readonly clientId: string; readonly plugins: readonly string[] };
