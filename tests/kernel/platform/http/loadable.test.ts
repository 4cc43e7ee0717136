import { describe, expect, test } from '@rstest/core';
import { firstValueFrom, of, Subject, switchMap, throwError, toArray } from 'rxjs';
import type { Answer } from '../../../../src/kernel/platform/http/http.ts';
import { loadable } from '../../../../src/kernel/platform/http/loadable.ts';
import { ResponseError } from '../../../../src/kernel/platform/http/response-error.ts';

const states = <Given>(source: Parameters<typeof loadable<Given>>[0]) => firstValueFrom(loadable(source).pipe(toArray()));

describe('loadable', () => {
  test('is loading at once and then ready with the value', async () => {
    expect(await states(Promise.resolve(7))).toEqual([{ status: 'loading' }, { status: 'ready', value: 7 }]);
  });

  test('unwraps a successful answer into its data', async () => {
    const answer: Answer<number[]> = { success: true, code: 200, data: [1], msg: '' };
    expect((await states(of(answer))).at(-1)).toEqual({ status: 'ready', value: [1] });
  });

  test('unwraps a refusal into its code and message', async () => {
    const answer: Answer<number> = { success: false, code: 403, data: null, msg: '请求被拒绝' };
    const last = (await states(of(answer))).at(-1);
    expect(last?.error).toBeInstanceOf(ResponseError);
    expect(last?.error).toMatchObject({ code: 403, message: '请求被拒绝' });
  });

  test('turns a rejection into a value, and the outer stream continues', async () => {
    const asked = new Subject<'bad' | 'good'>();
    const all = firstValueFrom(
      asked.pipe(
        switchMap((what) => loadable(what === 'bad' ? throwError(() => 'broken') : of(1))),
        toArray(),
      ),
    );
    asked.next('bad');
    asked.next('good');
    asked.complete();
    expect((await all).map(({ status }) => status)).toEqual(['loading', 'failed', 'loading', 'ready']);
  });
});
