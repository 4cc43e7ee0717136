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
  Type.Optional(Type.String({ description: `${description} A path relative to this file (./brand/logo.svg), or a URL.` }));

/** Brand of a tenant, in place of the product's own. Files are paths relative to the manifest (`./brand/logo.svg`), which become part of the build, or addresses. */
const BrandSchema = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, description: 'Replaces the name of the product.' })),
    title: Type.Optional(localizedText('Replaces the title of the product.')),
    logo: picture('Replaces the logo of the product; square, or as wide as the header allows.'),
    favicon: picture('Icon of the browser tab.'),
    background: picture('Background image of the left half of the sign-in page, in place of the illustration.'),
    colour: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Brand colour, in place of each theme’s own, until a user picks one.' })),
  },
  { ...closed, description: 'Brand that replaces that of the product.' },
);

const cipherKey = (description: string) =>
  Type.Optional(Type.String({ pattern: '^([ -~]{16}|[ -~]{32})$', description: `${description} 16 or 32 ASCII characters.` }));

/** Format of the console's requests, where a server or a gateway needs another than the default. */
const RequestsSchema = Type.Object(
  {
    clientHeader: Type.Optional(
      Type.Boolean({
        description:
          'False to send requests without the client in the Authorization header; the token endpoint then receives `client_id` in its body. Defaults to true.',
      }),
    ),
    tokenKey: cipherKey('Encrypts the access token in its header (`crypto …`): the TOKEN_CRYPTO_KEY of the server.'),
    bodyKey: cipherKey('Encrypts the queries and bodies of API calls: the BODY_CRYPTO_KEY of the server.'),
  },
  { ...closed, description: 'Format of requests. Anyone who opens the console can read the keys, so they obfuscate and do not protect. Use TLS.' },
);

/**
 * Contents of a deployment: `plugins.manifest.json`, and manifests that extend it. A plugin that is not listed is absent from bundle, menu, permission codes and
 * API.
 */
export const ManifestSchema = Type.Object(
  {
    product: Type.Object(
      { name: Type.String({ minLength: 1 }), title: localizedText('Title of the product.') },
      { ...closed, description: 'Name and title of the product.' },
    ),
    brand: Type.Optional(BrandSchema),
    storagePrefix: Type.String({ pattern: '^[a-z][a-z0-9-]*-$', description: 'Prefix of every browser storage key and cookie of the console.' }),
    language: Type.Union([Type.Literal('zh'), Type.Literal('en')], { description: 'Language of users who have not chosen one.' }),
    theme: Type.Unsafe<string>({
      type: 'string',
      enum: ['default', 'white', 'dark', 'star', 'bule', 'iview', 'vip', 'cool', 'd2', 'hey', 'lte'].map((name) => `theme-${name}`),
      description: 'Theme of users who have not chosen one.',
    }),
    homePath: Type.String({ pattern: '^/', description: 'Path of the page that opens first.' }),
    tokenTime: Type.Integer({ minimum: 1, description: 'Age in seconds at which the console refreshes its token.' }),
    clientId: Type.Optional(Type.String({ minLength: 1, description: 'Public client of the token endpoint. Defaults to sryx.' })),
    statusWhitelist: Type.Optional(
      Type.Unsafe<readonly number[]>({
        ...Type.Array(Type.Integer()),
        description: 'Envelope codes that reject the request instead of showing a toast and returning the reply.',
      }),
    ),
    apiBase: Type.Optional(Type.String({ description: 'Base URL of the API, if it differs from the origin of the console.' })),
    requests: Type.Optional(RequestsSchema),
    expiredSession: Type.Optional(
      Type.Union([Type.Literal('dialog'), Type.Literal('signIn')], {
        description:
          'After a session has expired: `dialog` opens a sign-in dialog over the page and keeps its input, `signIn` clears the session and opens /login. Defaults to `dialog`.',
      }),
    ),
    modes: Type.Object({ tenant: Type.Boolean(), switch: Type.Boolean(), debug: Type.Boolean() }, closed),
    frames: Type.Optional(
      names('Origins whose pages can be embedded, in the syntax of Content-Security-Policy: https://reports.example.com, https://*.example.com.'),
    ),
    remotes: Type.Optional(
      Type.Unsafe<readonly RemoteListing[]>({
        ...Type.Array(RemoteSchema),
        description: 'Plugins that are built and hosted elsewhere; each replaces the console half of a plugin with the same id.',
      }),
    ),
    plugins: Type.Unsafe<readonly PluginEntry[]>({
      type: 'array',
      uniqueItems: true,
      items: {
        type: ['string', 'object'],
        minLength: 1,
        properties: {
          use: { type: 'string', minLength: 1, description: 'Name of a folder in src/plugins, a path (./) or a package (npm:).' },
          options: { type: 'object', description: 'Options of the plugin in this deployment.' },
        },
        required: ['use'],
        additionalProperties: false,
      },
      description:
        'Plugins, each the name of a folder in src/plugins, a path relative to this file (./), or a package (npm:@acme/loyalty); one whose folder does not exist is skipped with a warning. With options: { "use": "sms", "options": { … } }.',
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
export type Manifest = Omit<ManifestFile, 'plugins'> & {
  readonly clientId: string;
  readonly plugins: readonly string[];
  /** True if the server records traces, which it adds to the page's settings. */
  readonly traces?: boolean;
};
