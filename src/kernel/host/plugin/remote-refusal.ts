import type { LocalizedText } from '#shared/text';

/** Thrown for a remote plugin this console refuses, with a message for its maintainer. */
export class RemoteRefusal extends Error {
  override readonly name = 'RemoteRefusal';

  constructor(
    readonly words: LocalizedText,
    options?: ErrorOptions,
  ) {
    super(words[1], options);
  }
}
