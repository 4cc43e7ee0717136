import { distinctUntilChanged, exhaustMap, map, type Observable, Subject, Subscription, share, switchMap, tap } from 'rxjs';
import type { Widget } from '#shared/fields';
import { type Rule, ruleFields } from '#shared/rules';
import { isEmpty, type LocalizedText } from '#shared/text';
import { fieldProblem, fieldStateOf } from '#shared/validation';
import { Store } from '../../base/store/store.ts';
import type { Http } from '../../platform/http/http.ts';
import { type MutationResult, mutationResultOf, observeRequest, type RequestResult } from '../../platform/http/observe-request.ts';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import { type FormField, presetOf } from '../model/entity-fields.ts';
import { fieldRuleProblem, loadBounds, type ReferencedBounds, ruleTargets, withinRules } from './form-rules.ts';
import { type UniqueHolder, uniqueHolderOf } from './unique-holder.ts';

type Values = Readonly<Record<string, unknown>>;

/** State of an opened form. */
export interface FormState {
  readonly status: 'loading' | 'editing' | 'saving';
  readonly values: Values;
  /** Errors by field; only fields that were left or submitted are validated. */
  readonly problems: Readonly<Record<string, LocalizedText>>;
  readonly dirty: boolean;
  /** Bounds of fields that a referenced record sets. */
  readonly bounds: ReferencedBounds;
  /** The field for which the server has just refused the form. */
  readonly refused?: string | undefined;
  /** The record that already has the refused value. */
  readonly holder?: UniqueHolder | undefined;
}

/** One opened form. It saves once however often it is submitted, and can be submitted again when saving fails. */
export class FormStore extends Store<FormState> {
  /** Cancels all pending requests. */
  readonly lifetime = new Subscription();
  private readonly sent$ = new Subject<Values>();
  private readonly gone = new Subject<void>();
  private idempotencyKey = randomKey();
  private pendingDraft: Values | undefined;
  /** Identifies this opened form. */
  readonly key = randomKey();

  /** Emits when the row could not be loaded, so there is nothing to edit. */
  readonly gone$: Observable<void> = this.gone;

  /** Emits the result of each attempt to save. */
  readonly saved$: Observable<MutationResult> = this.sent$.pipe(
    exhaustMap((values) => this.send(values)),
    share(),
  );

  /** Edits these fields of `row`, or adds a row with the values `initial`. */
  constructor(
    private readonly http: Http,
    readonly crud: CrudCalls & { readonly submitInput?: Values },
    readonly fields: readonly FormField[],
    readonly row: Row | undefined,
    initial: Values = {},
  ) {
    super({ status: 'editing', values: {}, problems: {}, dirty: false, bounds: {} });
    this.followBounds();
    this.fill(row ?? initial);
    this.lifetime.add(this.saved$.subscribe());
    if (row && crud.detail) this.read(crud.detail, row.id);
  }

  change(name: string, value: unknown): void {
    this.update((state) => {
      state.values[name] = value;
      state.dirty = true;
    });
    if (this.state.problems[name] || this.isEmptied(name, value)) this.validate(name);
    this.validateRules(name, 'before');
  }

  /** Validates one field after the operator has left it, or while they correct it. */
  validate(name: string): void {
    // The value of another record stays refused until it is changed.
    if (this.state.holder?.field === name && this.state.holder.value === this.state.values[name]) return;
    const found = this.problemOf(name);
    const { [name]: _, ...others } = this.state.problems;
    this.set({ problems: found ? { ...others, [name]: found } : others });
    this.validateRules(name);
  }

  /** Validates the fields that rules compare with this one once they are filled; a picked time at once, a typed number after it was left. */
  private validateRules(name: string, kind?: Rule['kind']): void {
    const { rules } = this.crud.entity;
    const own = kind && rules.some((rule) => rule.kind === kind && ruleFields(rule)[1] === name) ? [name] : [];
    for (const target of [...own, ...ruleTargets(kind ? rules.filter((rule) => rule.kind === kind) : rules, name)]) {
      if (isEmpty(this.state.values[target])) continue;
      const message = this.problemOf(target);
      const { [target]: shown, ...others } = this.state.problems;
      if (message || shown) this.set({ problems: message ? { ...others, [target]: message } : others });
    }
  }

  /** Loads the bounds that referenced records set, again whenever another record is selected. */
  private followBounds(): void {
    for (const rule of withinRules(this.crud.entity.rules)) {
      const reference = this.fields.find((field) => field.name === rule.reference);
      const bounds$ = this.select((state) => state.values[rule.reference]).pipe(
        distinctUntilChanged(),
        switchMap((id) => loadBounds(this.http, rule, reference, id)),
      );
      this.lifetime.add(
        bounds$.subscribe((bounds) => {
          this.set({ bounds: { ...this.state.bounds, [rule.field]: bounds } });
          if (!isEmpty(this.state.values[rule.field])) this.validateRules(rule.reference);
        }),
      );
    }
  }

  /** Saves a valid form; otherwise returns the first invalid field. */
  submit(): string | undefined {
    if (this.state.status !== 'editing') return undefined;
    const found = this.fields.flatMap(({ name }): [string, LocalizedText][] => {
      const message = this.problemOf(name);
      return message ? [[name, message]] : [];
    });
    this.set({ problems: Object.fromEntries(found), refused: undefined });
    if (found.length === 0) this.sent$.next(this.body());
    return found[0]?.[0];
  }

  /** Tells whether a field is visible and required for the current values. */
  fieldState({ schema, required }: FormField, values: Values = this.state.values): ReturnType<typeof fieldStateOf> {
    return fieldStateOf(schema, { ...values, id: this.row?.id }, required);
  }

  /** Restores earlier input, once the row has been loaded. */
  restore(values: Values): void {
    if (this.state.status === 'loading') this.pendingDraft = values;
    else this.set({ values: { ...this.state.values, ...values }, dirty: true });
  }

  /** Emptying a control with the mouse leaves no field, so it is judged at once. */
  private isEmptied(name: string, value: unknown): boolean {
    return isEmpty(value) && this.fields.some((field) => field.name === name && field.traits.clearable);
  }

  private problemOf(name: string): LocalizedText | undefined {
    const field = this.fields.find((candidate) => candidate.name === name);
    if (!field) return undefined;
    const { visible, required } = this.fieldState(field);
    if (!visible) return undefined;
    const { values, bounds } = this.state;
    const fields = this.fields.filter((one) => this.fieldState(one).visible);
    return fieldProblem(field.schema, values[name], required) ?? fieldRuleProblem(name, { rules: this.crud.entity.rules, fields, values, bounds });
  }

  /** Resets the form to these values. */
  fill(from: Values): void {
    const values = this.fields.map(({ name, schema, isRootless }) => {
      const value = from[name] ?? presetOf(schema);
      return [name, isRootless && value === '0' ? undefined : value];
    });
    this.set({ values: Object.fromEntries(values), dirty: false });
  }

  private read(detail: NonNullable<CrudCalls['detail']>, id: string): void {
    this.set({ status: 'loading' });
    const reading = observeRequest(this.http, detail, { id }).subscribe((answer) => {
      if (!answer.success) return this.gone.next();
      this.fill(answer.data as Values);
      this.set({ status: 'editing' });
      if (this.pendingDraft) this.restore(this.pendingDraft);
    });
    this.lifetime.add(reading);
  }

  private body(): Values {
    const entries = this.fields.flatMap((field) => {
      const { name, schema, traits, required } = field;
      const value = this.state.values[name];
      if (!this.fieldState(field).visible) return [[name, (traits.keepWhenHidden ? value : undefined) ?? presetOf(schema) ?? null]];
      // An empty secret is not sent, so the stored one stays.
      if (traits.widget === 'secret' && isEmpty(value)) return [];
      const tidy = typeof value === 'string' && !verbatimWidgets.has(traits.widget) ? value.trim() : value;
      return [[name, isEmpty(tidy) && !required ? null : tidy]];
    });
    return { ...(this.row ? { id: this.row.id } : {}), ...Object.fromEntries(entries), ...this.crud.submitInput };
  }

  private send(values: Values): Observable<MutationResult> {
    const call = this.crud.submit;
    if (!call) throw new Error(`${this.crud.menu} has no submit call`);
    this.set({ status: 'saving' });
    return observeRequest(this.http, call, values, { idempotencyKey: this.idempotencyKey }).pipe(
      tap((answer) => this.settle(answer)),
      map(mutationResultOf),
    );
  }

  private settle(answer: RequestResult): void {
    // After an answer the next submission is another request. Without one the same request is repeated.
    if (answer.code !== 0) this.idempotencyKey = randomKey();
    if (answer.success) {
      this.set({ status: 'editing', dirty: false });
      return;
    }
    const field = 'field' in answer && this.fields.some(({ name }) => name === answer.field) ? answer.field : undefined;
    const problems = field && 'msg' in answer ? { ...this.state.problems, [field]: [answer.msg, answer.msg] as const } : this.state.problems;
    this.set({ status: 'editing', problems, refused: field, holder: field ? uniqueHolderOf(answer, field, this.state.values[field]) : undefined });
  }
}

/** Widgets whose text is sent unchanged, including leading and trailing blanks. */
const verbatimWidgets: ReadonlySet<Widget> = new Set<Widget>(['textarea', 'rich-text', 'code', 'secret']);

/** `crypto.randomUUID` is missing where the console is served over plain HTTP. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
