import { test } from '@rstest/core';
import { plugins } from '#deployment/server';
import type { Entity } from '#shared/contract';
import { isEveryPluginChecked } from '../support/checked-plugins.ts';
import { stopWithFile } from '../support/open-databases.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { census, readingCalls } from './census.ts';
import { SampleForms } from './sample-forms.ts';
import { seedRows } from './samples.ts';

/** Ids of the rules that the tests of this folder check on a running server, for every plugin. `docs/plugin-rules.md` describes each. */
export const contractRules = [
  'plugin-runs',
  'menu-icon',
  'unique-code',
  'table-columns',
  'tenant-policy',
  'generic-screen',
  'record-history',
  'read-reply',
  'bladex-client',
  'session-required',
  'permission-code',
  'permission-withdrawn',
  'platform-call',
  'tenant-isolation',
  'account-guard',
  'unknown-id',
  'removal-ids',
  'recycle-bin',
  'archive',
  'created-filter',
  'list-filter',
  'read-parameter',
  'filter-group',
  'list-totals',
  'hidden-field',
  'data-scope',
  'related-list',
  'search-source',
  'reference-deletion',
  'archivable-entity',
  'reference-page',
  'range-rule',
  'form-version',
  'stale-edit',
  'partial-edit',
  'input-pattern',
  'input-time',
] as const;

/** Id of one of these rules. */
export type ContractRule = (typeof contractRules)[number];

/** Separates the rule of a test from its title while single plugins are checked. */
const separator = ' | ';

/** Registers a test of a rule for every plugin. While single plugins are checked, only these tests run, and their titles begin with the rule. */
export function ruleTest(rule: ContractRule, title: string, run: () => void | Promise<void>, timeoutMs?: number): void {
  test(isEveryPluginChecked ? title : `${rule}${separator}${title}`, run, timeoutMs);
}

/** Registers a test of the whole product, which is skipped while single plugins are checked. */
export const productTest = test.runIf(isEveryPluginChecked);

/** Server of the contract tests with samples of its plugins. */
export interface ContractServer {
  readonly server: TestServer;
  /** Headers of a session of the administrator. */
  readonly headers: Record<string, string>;
  /** Returns valid forms; the rows that they refer to are added at the first call. */
  forms(): Promise<SampleForms>;
  /** Inserts the sample rows at the first call; returns their ids. */
  seeded(): Promise<ReadonlyMap<string, string>>;
}

let shared: Promise<ContractServer> | undefined;

/** Starts a server that stops with the test file. While single plugins are checked, all suites are in one file and share one server. */
export async function contractServer(): Promise<ContractServer> {
  if (isEveryPluginChecked) return open();
  shared ??= open();
  const opened = await shared;
  return { ...opened, headers: await opened.server.signIn() };
}

async function open(): Promise<ContractServer> {
  const server = await openTestServer({ plugins });
  stopWithFile(server);
  const headers = await server.signIn();
  let forms: Promise<SampleForms> | undefined;
  let seeded: Promise<ReadonlyMap<string, string>> | undefined;
  return {
    server,
    headers,
    forms() {
      forms ??= SampleForms.on(server, headers);
      return forms;
    },
    seeded() {
      seeded ??= seedRows(server, listedEntities(server));
      return seeded;
    },
  };
}

/** Returns the entities by name. Of several with the same name, it returns the one with the most fields, which has all columns of the table. */
export function listedEntities({ db }: Pick<TestServer, 'db'>): ReadonlyMap<string, Entity> {
  const fieldCount = ({ fields }: Entity) => Object.keys(fields).length;
  const all = [...db.entities.values(), ...census(() => true).entities, ...readingCalls().flatMap(({ call }) => call.filterable ?? [])];
  return new Map(all.sort((one, other) => fieldCount(one) - fieldCount(other)).map((entity) => [entity.name, entity]));
}
