import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ManifestSchema } from './manifest.ts';

const { brand, language, theme, modes, apiBase, requests, expiredSession, frames, remotes } = ManifestSchema.properties;
const { colour: _, ...brandProperties } = brand.properties;
const { debug, switch: switchMode, tenant } = modes.properties;

/**
 * Parts of the manifest that can be set when the server starts instead of at build time. Colours are not among them: the build derives and checks all their shades.
 */
export const ConsoleSettingsSchema = Type.Object(
  {
    brand: Type.Optional(Type.Object(brandProperties, { additionalProperties: false })),
    language: Type.Optional(language),
    theme: Type.Optional(theme),
    modes: Type.Optional(
      Type.Object({ tenant: Type.Optional(tenant), switch: Type.Optional(switchMode), debug: Type.Optional(debug) }, { additionalProperties: false }),
    ),
    apiBase,
    requests,
    expiredSession,
    frames,
    remotes,
  },
  { additionalProperties: false },
);

/** Settings of a deployment's console that need no new build. */
export type ConsoleSettings = Static<typeof ConsoleSettingsSchema>;
