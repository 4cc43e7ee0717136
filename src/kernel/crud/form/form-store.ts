import { exhaustMap, map, type Observable, Subject, Subscription, share, tap } from 'rxjs';
import type { Widget } from '#shared/fields';
import { isEmpty, type Words } from '#shared/text';
import { fieldProblem, standingOf } from '#shared/validation';
import type { Http } from '../../http/http.ts';
import { Store } from '../../store.ts';
import { type Asked, asking, type Outcome, outcomeOf } from '../asking.ts';
import type { CrudCalls, Row } from '../crud-screen.ts';
import { type FormField, presetOf } from '../entity-fields.ts';

type Values = Readonly<Record<string, unknown>>;

/** What an opened form knows. */
export interface FormState {
  readonly status: 'loading' | 'editing' | 'saving';
  readonly values: Values;
  /** What is wrong, by field; only fields that were left or submitted are judged. */
  readonly problems: Readonly<Record<string, Words>>;
  readonly dirty: boolean;
  /** The field for which the server has just refused the form. */
  readonly refused?: string | undefined;
}

/** One opened form. It saves once however often it is sent, and is free again when saving fails. */
export class FormStore extends Store<FormState> {
  /** Ends all that is under way. */
  readonly lifetime = new Subscription();
  private readonly sent$ = new Subject<Values>();
  private readonly missing$ = new Subject<void>();
  private idempotencyKey = freshKey();
  private awaiting: Values | undefined;
  /** Tells one opened form from another. */
  readonly key = freshKey();

  /** The row could not be read: there is nothing to edit. */
  readonly gone$: Observable<void> = this.missing$;

  /** Each attempt to save as it ends. */
  readonly saved$: Observable<Outcome> = this.sent$.pipe(
    exhaustMap((values) => this.send(values)),
    share(),
  );

  /** Edits these fields of `row`, or adds one that begins with `initial`. */
  constructor(
    private readonly http: Http,
    private readonly crud: CrudCalls,
    readonly fields: readonly FormField[],
    readonly row: Row | undefined,
    initial: Values = {},
  ) {
    super({ status: 'editing', values: {}, problems: {}, dirty: false });
    this.fill(row ?? initial);
    this.lifetime.add(this.saved$.subscribe());
    if (row && crud.detail) this.read(crud.detail, row.id);
  }

  change(name: string, value: unknown): void {
    this.update((state) => {
      state.values[name] = value;
      state.dirty = true;
    });
    if (this.state.problems[name]) this.judge(name);
  }

  /** Judges one field: the operator has left it, or is mending it. */
  judge(name: string): void {
    const found = this.problemOf(name);
    const { [name]: _, ...others } = this.state.problems;
    this.set({ problems: found ? { ...others, [name]: found } : others });
  }

  /** Saves when all is well; otherwise names the first field that is wrong. */
  submit(): string | undefined {
    if (this.state.status !== 'editing') return undefined;
    const found = this.fields.flatMap(({ name }): [string, Words][] => {
      const words = this.problemOf(name);
      return words ? [[name, words]] : [];
    });
    this.set({ problems: Object.fromEntries(found), refused: undefined });
    if (found.length === 0) this.sent$.next(this.body());
    return found[0]?.[0];
  }

  private set(part: Partial<FormState>): void {
    this.update((state) => void Object.assign(state, part));
  }

  /** Whether a field is there for what is filled in so far, and must be filled in itself. */
  standing({ schema, required }: FormField, values: Values = this.state.values): ReturnType<typeof standingOf> {
    return standingOf(schema, { ...values, id: this.row?.id }, required);
  }

  /** Goes on with what was filled in before, once the row has been read. */
  restore(values: Values): void {
    if (this.state.status === 'loading') this.awaiting = values;
    else this.set({ values: { ...this.state.values, ...values }, dirty: true });
  }

  private problemOf(name: string): Words | undefined {
    const field = this.fields.find((candidate) => candidate.name === name);
    if (!field) return undefined;
    const { visible, required } = this.standing(field);
    return visible ? fieldProblem(field.schema, this.state.values[name], required) : undefined;
  }

  /** Begins anew with these values. */
  fill(from: Values): void {
    const values = this.fields.map(({ name, schema, isRootless }) => {
      const value = from[name] ?? presetOf(schema);
      return [name, isRootless && value === '0' ? undefined : value];
    });
    this.set({ values: Object.fromEntries(values), dirty: false });
  }

  private read(detail: NonNullable<CrudCalls['detail']>, id: string): void {
    this.set({ status: 'loading' });
    const reading = asking(this.http, detail, { id }).subscribe((answer) => {
      if (!answer.success) return this.missing$.next();
      this.fill(answer.data as Values);
      this.set({ status: 'editing' });
      if (this.awaiting) this.restore(this.awaiting);
    });
    this.lifetime.add(reading);
  }

  private body(): Values {
    const entered = this.fields.flatMap((field) => {
      const { name, schema, traits, required } = field;
      const value = this.state.values[name];
      if (!this.standing(field).visible) return [[name, presetOf(schema) ?? null]];
      // What is stored of a secret stays unless another is given.
      if (traits.widget === 'secret' && isEmpty(value)) return [];
      const tidy = typeof value === 'string' && !verbatim.has(traits.widget) ? value.trim() : value;
      return [[name, isEmpty(tidy) && !required ? null : tidy]];
    });
    return { ...(this.row ? { id: this.row.id } : {}), ...Object.fromEntries(entered) };
  }

  private send(values: Values): Observable<Outcome> {
    const call = this.crud.submit;
    if (!call) throw new Error(`${this.crud.menu} has no call that saves`);
    this.set({ status: 'saving' });
    return asking(this.http, call, values, { idempotencyKey: this.idempotencyKey }).pipe(
      tap((answer) => this.settle(answer)),
      map(outcomeOf),
    );
  }

  private settle(answer: Asked): void {
    // Once it is answered, what is sent next is another request. Without an answer the same one is asked again.
    if (answer.code !== 0) this.idempotencyKey = freshKey();
    if (answer.success) {
      this.set({ status: 'editing', dirty: false });
      return;
    }
    const field = 'field' in answer && this.fields.some(({ name }) => name === answer.field) ? answer.field : undefined;
    const problems = field && 'msg' in answer ? { ...this.state.problems, [field]: [answer.msg, answer.msg] as const } : this.state.problems;
    this.set({ status: 'editing', problems, refused: field });
  }
}

/** Kept to the letter, blanks at the ends included. */
const verbatim: ReadonlySet<Widget> = new Set<Widget>(['textarea', 'rich-text', 'code', 'secret']);

/** `crypto.randomUUID` is missing where the console is served over plain HTTP. */
const freshKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
