import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import { type Setting, settings, settingsTable } from '../../../scripts/settings.mjs';
import { type Environment, readConfiguration } from '../../../src/server/base/configuration/configuration.ts';

/** Settings that have an effect only together with these are required as well. */
const environment = { SSO_ISSUER: 'https://id.company.cn', SSO_CLIENT_ID: 'marquee', PUBLIC_URL: 'https://console.company.cn' };
const hasDefault = (setting: Setting): setting is Setting & { default: string } => setting.default !== undefined;

function namesRead(): string[] {
  const names = new Set<string>();
  const recorded = new Proxy<Environment>(environment, {
    get: (values, name: string) => {
      names.add(name);
      return values[name];
    },
  });
  readConfiguration(recorded);
  return [...names].sort();
}

test('the list of settings has every environment variable the server reads, and no other', () => {
  expect(
    settings()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(namesRead());
});

test.each(settings().filter(hasDefault))('$name is $default by default', (setting) => {
  expect(readConfiguration({ ...environment, [setting.name]: setting.default })).toEqual(readConfiguration(environment));
});

test('docs/operating.md has the list as a table; `npm run api` writes it', () => {
  expect(readFileSync('docs/operating.md', 'utf8')).toContain(`\n${settingsTable()}\n`);
});
