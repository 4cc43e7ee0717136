import type { Words } from '#shared/text';

/** A plugin from elsewhere that does not fit this console, in words for whoever runs it. */
export class RemoteRefusal extends Error {
  override readonly name = 'RemoteRefusal';

  constructor(
    readonly words: Words,
    options?: ErrorOptions,
  ) {
    super(words[1], options);
  }
}
