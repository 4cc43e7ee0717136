import { catchError, from, map, type Observable, type ObservableInput, of, startWith } from 'rxjs';
import type { Answer } from './http.ts';
import { ResponseError } from './response-error.ts';

/** State of a value that loads: failure is a value, never an error of the stream. */
export type Loadable<Value> =
  | { readonly status: 'loading'; readonly value?: undefined; readonly error?: undefined }
  | { readonly status: 'ready'; readonly value: Value; readonly error?: undefined }
  | { readonly status: 'failed'; readonly value?: undefined; readonly error: Error };

type AnswerData<Given> = Given extends Answer<infer Data> ? Data : Given;

/** Follows a request: loading at once, then its result or its error. An `Answer` is unwrapped: its data after success, a `ResponseError` otherwise. */
export function loadable<Given>(source: ObservableInput<Given>): Observable<Loadable<AnswerData<Given>>> {
  return from(source).pipe(
    map((given) => opened<AnswerData<Given>>(given)),
    catchError((error: unknown) => of(failed(error))),
    startWith({ status: 'loading' } as const),
  );
}

function opened<Value>(given: unknown): Loadable<Value> {
  if (!isAnswer(given)) return { status: 'ready', value: given as Value };
  return given.success ? { status: 'ready', value: given.data as Value } : failed(new ResponseError(given.code, given.msg));
}

function failed(error: unknown): Loadable<never> {
  return { status: 'failed', error: error instanceof Error ? error : new Error(String(error), { cause: error }) };
}

function isAnswer(given: unknown): given is Answer<unknown> {
  return typeof given === 'object' && given !== null && 'success' in given && 'code' in given && 'msg' in given && 'data' in given;
}
