import { expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { crudRoutes, queryRows, type ServerContext } from '#server';
import { crud, entity } from '#shared/contract';
import { Id, Integer, LongText, Money, Nullable, Text } from '#shared/fields';
import { menu } from '#shared/menu-entry';
import { FormStore } from '../../../src/kernel/crud/form/form-store.ts';
import { chosenValues, type MergeChoice, mergedText, safeChoices } from '../../../src/kernel/crud/form/MergeDialog.tsx';
import { formFields } from '../../../src/kernel/crud/model/entity-fields.ts';
import type { Http } from '../../../src/kernel/platform/http/http.ts';
import { repositoryOf } from '../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../src/server/host/plugin-host/plugin.ts';
import { testServer } from '../../support/test-server.ts';

const Offer = entity('offer', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64 }),
  places: Integer({ title: ['名额', 'Places'], minimum: 0 }),
  price: Nullable(Money({ title: ['价格', 'Price'] })),
  remark: Nullable(LongText({ title: ['备注', 'Remark'] })),
  counter: Integer({ title: ['计数', 'Counter'], form: false }),
});
const offer = crud('/api/test/offer', Offer);
const names = ['name', 'places', 'price', 'remark'] as const;

/** Returns the plugin, and stores its database in `captured`. */
function offersPlugin(captured: { db?: ServerContext['db'] }): InstalledPlugin {
  return {
    plugin: defineServerPlugin({
      id: 'offer',
      title: ['优惠', 'Offers'],
      menus: [menu({ code: 'offer', title: ['优惠', 'Offers'], path: '/offer', under: 'base', buttons: ['add', 'edit', 'delete'] })],
      setup({ db }) {
        captured.db = db;
        return { routes: [crudRoutes(offer, repositoryOf(db, Offer))] };
      },
    }),
    migrations: {
      '0001-offer.sql': `create table offer (like base_row including all, name varchar(64) not null, places integer not null, price bigint, remark text,
        counter integer not null default 0); call own_by_tenant('offer');`,
    },
  };
}

type Values = Record<string, unknown>;

/** Starts a server and signs two editors in. */
async function openServer() {
  const captured: { db?: ServerContext['db'] } = {};
  const server = await testServer({ plugins: [offersPlugin(captured)] });
  const httpOf = async (account: string): Promise<Http> => {
    await server.createUser({ account, codes: ['offer', 'offer_add', 'offer_edit'] });
    const headers = await server.signIn(account);
    const send = async (call: { method: string; path: string }, input: Values) => {
      const query = input as Record<string, string>;
      const { code, msg, data } = await (call.method === 'GET' ? server.get(call.path, { query, headers }) : server.post(call.path, input, { headers }));
      return code === 200 ? { success: true, code, msg, data } : { success: false, code, msg, data: null, details: data };
    };
    return { send } as unknown as Http;
  };
  const incrementCounter = (id: string) =>
    (captured.db as ServerContext['db']).asPlatform('changes a row as a counter would', () =>
      queryRows(captured.db as ServerContext['db'], sql`update offer set counter = counter + 1 where id = ${id}::bigint`),
    );
  return { clients: [await httpOf('li'), await httpOf('wang')] as const, incrementCounter };
}

/** One of the two editors: an opened form and the values that it was opened with. */
interface Editor {
  readonly form: FormStore;
  readonly opened: Values;
  /** Values that were entered since then. */
  readonly entered: Values;
}

async function open(http: Http, id: string): Promise<Editor> {
  const form = new FormStore(http, offer, formFields(Offer), { id });
  await expect.poll(() => form.state.status, { interval: 1 }).toBe('editing');
  return { form, opened: { ...form.state.values }, entered: {} };
}

/** Saves the form and resolves once the server has answered. */
async function save({ form }: Editor, submit: () => string | undefined): Promise<void> {
  expect(submit()).toBeUndefined();
  await expect.poll(() => form.state.status, { interval: 1 }).toBe('editing');
}

const text = fc.stringMatching(/^[a-z]{1,6}$/);
const lines = fc.array(text, { minLength: 1, maxLength: 4 }).map((all) => all.join('\n'));
const values = fc.record({ name: text, places: fc.nat(9), price: fc.option(fc.nat(9)), remark: fc.option(lines) }, { requiredKeys: [] });
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ action: fc.constant('open' as const), who: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ action: fc.constant('enter' as const), who: fc.nat(1), values }) },
  {
    weight: 3,
    arbitrary: fc.record({
      action: fc.constant('save' as const),
      who: fc.nat(1),
      picks: fc.array(fc.constantFrom<MergeChoice>('mine', 'theirs'), { minLength: 4, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('increment' as const) }) },
);

const isSame = (one: unknown, other: unknown) => (one ?? '') === (other ?? '');
const linesOf = (value: unknown) => (typeof value === 'string' ? value.split('\n') : []);

/** Decides each conflict by `picks`, and returns the chosen values with the row that they must result in. */
function decideConflict({ form, opened, entered }: Editor, stored: Values, picks: readonly MergeChoice[]): { chosen: Values; expected: Values } {
  const { conflict } = form.state;
  if (!conflict) throw new Error('there is no conflict');
  // The dialog lists each change of the other editor that this one has not made too.
  const theirs = names.filter((name) => !isSame(stored[name], opened[name]) && !isSame(stored[name], form.state.values[name]));
  expect(conflict.changes.filter(({ isChangedByThem }) => isChangedByThem).map(({ field }) => field.name)).toEqual(theirs);
  const safe = safeChoices(conflict.changes);
  const choices = Object.fromEntries(conflict.changes.map(({ field }, index) => [field.name, safe[field.name] ?? (picks[index] as MergeChoice)]));
  const expected = { ...stored };
  for (const change of conflict.changes) {
    const { name } = change.field;
    if (choices[name] === 'mine') expected[name] = entered[name];
    if (choices[name] !== 'both') continue;
    const merged = mergedText(change);
    for (const side of [entered[name], stored[name]])
      for (const line of linesOf(side)) if (!linesOf(opened[name]).includes(line)) expect(linesOf(merged)).toContain(line);
    expected[name] = merged;
  }
  return { chosen: chosenValues(conflict.changes, choices) as Values, expected };
}

const picks: MergeChoice[] = ['mine', 'mine', 'mine', 'mine'];
/** Steps of which the last has a conflict, so that every run has one. */
const conflictingSteps = [
  { action: 'enter' as const, who: 0, values: { name: 'one' } },
  { action: 'enter' as const, who: 1, values: { name: 'other' } },
  { action: 'save' as const, who: 0, picks },
  { action: 'save' as const, who: 1, picks },
];

test('two editors who resolve their conflicts in the console, in any order, lose no value that neither chose to drop', async () => {
  const { clients, incrementCounter } = await openServer();
  let conflicts = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const first = { name: 'start', places: 1, price: 1, remark: 'one\ntwo\nthree' };
      const { data } = (await clients[0].send(offer.submit, { ...first, counter: 0 } as never)) as unknown as { data: { id: string } };
      let stored: Values = first;
      const editors = [await open(clients[0], data.id), await open(clients[1], data.id)];
      for (const one of steps) {
        if (one.action === 'increment') {
          await incrementCounter(data.id);
          continue;
        }
        const editor = editors[one.who] as Editor;
        if (one.action === 'enter')
          for (const [name, value] of Object.entries(one.values)) {
            editor.form.change(name, value);
            editor.entered[name] = value;
          }
        if (one.action === 'save') {
          const changed = Object.entries(editor.entered).filter(([name, value]) => !isSame(value, editor.opened[name]));
          await save(editor, () => editor.form.submit());
          if (editor.form.state.conflict) {
            conflicts += 1;
            const { chosen, expected } = decideConflict(editor, stored, one.picks);
            await save(editor, () => editor.form.merge(chosen));
            stored = expected;
          } else {
            // Without a conflict no value of the other editor was overwritten.
            for (const [name, value] of changed) expect(isSame(stored[name], editor.opened[name]) || isSame(stored[name], value)).toBe(true);
            stored = { ...stored, ...Object.fromEntries(changed) };
          }
          expect(editor.form.state.conflict).toBeUndefined();
        }
        if (one.action !== 'enter') editors[one.who] = await open(clients[one.who as 0 | 1], data.id);
        const read = (await clients[0].send(offer.detail, { id: data.id })) as unknown as { data: Values };
        for (const name of names) expect({ name, value: read.data[name] ?? null }).toEqual({ name, value: stored[name] ?? null });
      }
      for (const { form } of editors) form.lifetime.unsubscribe();
    }),
    { numRuns: 10, examples: [[conflictingSteps]] },
  );
  expect(conflicts).toBeGreaterThan(0);
});
