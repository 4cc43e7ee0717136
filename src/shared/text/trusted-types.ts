/**
 * Names of the Trusted Types policies that the console creates: for its own markup and script URLs, for the bundler's chunks and workers, and for retries of the
 * first scripts.
 */
export const ownPolicies = { console: 'marquee', chunks: 'marquee-chunks', retries: 'marquee-retries' } as const;

/** Policy of the rich-text editor's library, which parses pasted content in an inert document. */
const pastePolicy = 'ProseMirrorClipboard';

/** Policy under which a remote plugin loads further files; `scripts/remote-package.mjs` writes the same name. */
const remotePolicy = (id: string) => `marquee-remote-${id}`;

/** Returns the names of all policies that a console with these remote plugins may create. */
export const policyNames = (remotes: readonly { readonly id: string }[] = []): string[] => [
  ...Object.values(ownPolicies),
  pastePolicy,
  ...remotes.map(({ id }) => remotePolicy(id)),
];
