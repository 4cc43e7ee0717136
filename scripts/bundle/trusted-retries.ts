import type { RsbuildPlugin } from '@rsbuild/core';

/** Matches the statement that sets the address of a retried script, minified or not. */
const untrusted = /\b(\w+)\.src = (attributes)\.url;|\b(\w)\.src=(\w)\.url,/;

/**
 * Gives the retries of the page's first scripts a Trusted Types policy with this name, which `@rsbuild/plugin-assets-retry` does not support itself. The policy
 * refuses addresses of other origins.
 */
export const trustedRetries = (policyName: string): RsbuildPlugin => ({
  name: 'marquee:trusted-retries',
  setup(api) {
    api.processAssets({ stage: 'additions' }, ({ assets, compilation, sources, environment }) => {
      if (environment.config.output.target !== 'web') return;
      const [name, asset] = Object.entries(assets).find(([path]) => /(^|\/)assets-retry\.[^/]+\.js$/.test(path)) ?? [];
      const text = asset?.source().toString() ?? '';
      const [found, longElement, longAddress, element = longElement, address = longAddress] = untrusted.exec(text) ?? [];
      if (name === undefined || found === undefined) throw new Error('The retry script has changed: update trusted-retries.ts.');
      const policy = `window.trustedTypes?.createPolicy(${JSON.stringify(policyName)},{createScriptURL:a=>new URL(a,location.href).origin===location.origin?a:''})`;
      const trusted = `${element}.src=marqueeRetries?marqueeRetries.createScriptURL(${address}.url):${address}.url${found.at(-1)}`;
      compilation.updateAsset(name, new sources.RawSource(`{const marqueeRetries=${policy};${text.replace(found, () => trusted)}}`));
    });
  },
});
