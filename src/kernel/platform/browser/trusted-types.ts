import { ownPolicies } from '#shared/trusted-types';

/** Policy of Trusted Types; its values are typed as strings. */
interface Policy {
  createHTML(markup: string): string;
  createScriptURL(address: string): string;
}

const rules: Policy = { createHTML: (markup) => markup, createScriptURL: (address) => address };
const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
/** The policy must not be exported: it could write any markup into the page. Browsers without Trusted Types take plain strings. */
const policy = trustedTypes?.createPolicy(ownPolicies.console, rules) ?? rules;

/** Parses markup into a document that is never shown and runs no scripts. Its content must be sanitized before it is used. */
export const parseMarkup = (markup: string): HTMLElement => new DOMParser().parseFromString(policy.createHTML(`<body>${markup}</body>`), 'text/html').body;

/** Creates a script element with this address and digest; the content security policy limits the origins of scripts. */
export function createScript(address: string, integrity: string): HTMLScriptElement {
  const script = document.createElement('script');
  return Object.assign(script, { src: policy.createScriptURL(address), integrity, crossOrigin: 'anonymous', async: true });
}
