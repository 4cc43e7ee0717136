import type { LocalizedText } from '#shared/text';

/** Thrown for a remote plugin this console refuses, with a message for its maintainer. */
export class RemotePluginError extends Error {
  override readonly name = 'RemoteRefusal';

  constructor(
    readonly text: LocalizedText,
    options?: ErrorOptions,
  ) {
    super(text[1], options);
  }
}
