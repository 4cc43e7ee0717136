import { Optional as Omissible, Object as Shape, type Static } from 'typebox';
import { ManifestSchema } from './manifest.ts';

const { brand, language, theme, modes, apiBase, frames, remotes } = ManifestSchema.properties;
const { colour: _, ...looks } = brand.properties;
const { debug, switch: switching, tenant } = modes.properties;

/** What of a manifest may be said when the server starts instead of when it is built. A colour is not among it: every shade of it is made, and judged, by the build. */
export const ConsoleSettingsSchema = Shape(
  {
    brand: Omissible(Shape(looks, { additionalProperties: false })),
    language: Omissible(language),
    theme: Omissible(theme),
    modes: Omissible(Shape({ tenant: Omissible(tenant), switch: Omissible(switching), debug: Omissible(debug) }, { additionalProperties: false })),
    apiBase,
    frames,
    remotes,
  },
  { additionalProperties: false },
);

/** What a deployment says of its console without building it anew. */
export type ConsoleSettings = Static<typeof ConsoleSettingsSchema>;
