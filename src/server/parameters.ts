/** Settings an administrator changes while the server runs; each has a default, so it works without the plugin that stores them. */
export abstract class Parameters {
  abstract text(key: string, preset: string): Promise<string>;
  /** The preset when the stored text is not a whole number. */
  abstract whole(key: string, preset: number): Promise<number>;
}
