import { distinctUntilChanged, exhaustMap, type Observable, of, Subject, Subscription, share, switchMap } from 'rxjs';
import type { FieldValues } from '#shared/condition';
import { type Rule, ruleFields } from '#shared/rules';
import { isEmpty, type LocalizedText } from '#shared/text';
import { fieldProblem, fieldStateOf } from '#shared/validation';
import { Store } from '../../base/store/store.ts';
import type { Http } from '../../platform/http/http.ts';
import { type MutationResult, mutationResultOf, observeRequest, type RequestResult } from '../../platform/http/observe-request.ts';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import { defaultOf, type FormField, removedSecret } from '../model/entity-fields.ts';
import { type FieldChange, fieldChanges, isConflict, isSameValue, type RecordConflict, recordConflictOf } from './field-changes.ts';
import { changedInput, inputOf, type UniqueHolder, uniqueHolderOf } from './form-input.ts';
import { fieldRuleProblem, loadBounds, type ReferencedBounds, ruleTargets, withinRules } from './form-rules.ts';

/** State of an opened form. */
export interface FormState {
  readonly status: 'loading' | 'editing' | 'saving';
  readonly values: FieldValues;
  /** Errors by field; only fields that were left or submitted are validated. */
  readonly problems: Readonly<Record<string, LocalizedText>>;
  readonly dirty: boolean;
  /** The row as it was opened; a form sends only the fields that differ from it. */
  readonly basis: FormBasis;
  /** Bounds of fields that a referenced record sets. */
  readonly bounds: ReferencedBounds;
  /** The field for which the server has just refused the form. */
  readonly refused?: string | undefined;
  /** The record that already has the refused value. */
  readonly holder?: UniqueHolder | undefined;
  /** Changes of another user that the operator has to merge. */
  readonly conflict?: FormConflict | undefined;
}

/** A record that another user has saved since the form was opened, with the fields that differ. */
export interface FormConflict extends RecordConflict {
  readonly changes: readonly FieldChange[];
  /** True if the form was being saved, so that the merged form is saved at once. */
  readonly isSaving: boolean;
}

/** Values that the form had when it was opened, and the version of the row that they are from. */
export interface FormBasis {
  readonly values: FieldValues;
  readonly version: string | undefined;
  /** Id of the row; settings get one when they are saved for the first time. */
  readonly id?: string;
}

/** Number of times a form is saved again because something other than its fields has changed. */
const maxRepeats = 5;

/** One opened form. Submissions are ignored while it is saving; after a failure it can be submitted again. */
export class FormStore extends Store<FormState> {
  /** Cancels all pending requests. */
  readonly lifetime = new Subscription();
  private readonly submissions$ = new Subject<FieldValues>();
  private readonly loadFailures = new Subject<void>();
  private idempotencyKey = randomKey();
  private pendingDraft: { readonly values: FieldValues; readonly basis: FormBasis | undefined } | undefined;
  /** Identifies this opened form. */
  readonly key = randomKey();

  /** Emits when the row could not be loaded, so there is nothing to edit. */
  readonly loadFailed$: Observable<void> = this.loadFailures;

  /** Emits the result of each attempt to save. */
  readonly saved$: Observable<MutationResult> = this.submissions$.pipe(
    exhaustMap((values) => this.send(values)),
    share(),
  );

  /** Edits these fields of `row`, or adds a row with the values `initial`. */
  constructor(
    private readonly http: Http,
    /** With `isAction`, the call is an action on the row other than editing it and receives all fields. */
    readonly crud: CrudCalls & { readonly submitInput?: FieldValues; readonly isAction?: boolean },
    readonly fields: readonly FormField[],
    readonly row: Row | undefined,
    initial: FieldValues = {},
  ) {
    super({ status: 'editing', values: {}, problems: {}, dirty: false, bounds: {}, basis: { values: {}, version: undefined } });
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
    if (found.length === 0) this.submissions$.next(this.body());
    return found[0]?.[0];
  }

  /** Tells whether a field is visible and required for the current values. */
  fieldState({ schema, required }: FormField, values: FieldValues = this.state.values): ReturnType<typeof fieldStateOf> {
    return fieldStateOf(schema, { ...values, id: this.row?.id }, required);
  }

  /** Restores earlier input with the values it was based on, once the row has been loaded. */
  restore(values: FieldValues, basis?: FormBasis): void {
    if (this.state.status === 'loading') this.pendingDraft = { values, basis };
    else this.set({ values: { ...this.state.values, ...values }, dirty: true, basis: basis ?? this.state.basis });
  }

  /** Adopts a record that another user has saved meanwhile: at once if nothing was entered here, otherwise the operator merges the changes. */
  review(saved: RecordConflict): void {
    if (this.state.status !== 'editing') return;
    const changes = this.changesIn(saved.current);
    if (changes.some(({ isChangedByMe }) => isChangedByMe)) this.set({ conflict: { ...saved, changes, isSaving: false } });
    else this.rebase(saved.current);
  }

  /** Continues with the record of the conflict and these values of its changes; saves it if the form was being saved. Returns the first invalid field. */
  merge(chosen: FieldValues): string | undefined {
    const { conflict } = this.state;
    if (!conflict) return undefined;
    this.rebase(conflict.current, chosen);
    return conflict.isSaving ? this.submit() : undefined;
  }

  /** Leaves the form as it is; saving it again shows the conflict again. */
  dismissConflict(): void {
    this.set({ conflict: undefined });
  }

  /** Emptying a control with the mouse does not leave the field, so it is validated at once. */
  private isEmptied(name: string, value: unknown): boolean {
    return isEmpty(value) && this.fields.some((field) => field.name === name && field.traits.clearable);
  }

  private problemOf(name: string): LocalizedText | undefined {
    const field = this.fields.find((candidate) => candidate.name === name);
    if (!field) return undefined;
    const { visible, required } = this.fieldState(field);
    if (!visible) return undefined;
    const { values, bounds } = this.state;
    const fields = this.fields.filter((candidate) => this.fieldState(candidate).visible);
    return (
      fieldProblem(field.schema, values[name] === removedSecret ? undefined : values[name], required) ??
      fieldRuleProblem(name, { rules: this.crud.entity.rules, fields, values, bounds })
    );
  }

  /** Resets the form to these values. */
  fill(from: FieldValues): void {
    const { version, id } = from;
    const values = this.valuesOf(from);
    this.set({
      values,
      dirty: false,
      basis: { values, version: typeof version === 'string' ? version : undefined, ...(typeof id === 'string' ? { id } : {}) },
    });
  }

  private valuesOf(from: FieldValues): FieldValues {
    const values = this.fields.map(({ name, schema, excludesRoot }) => {
      const value = from[name] ?? defaultOf(schema);
      return [name, excludesRoot && value === '0' ? undefined : value];
    });
    return Object.fromEntries(values);
  }

  private changesIn(current: Row): FieldChange[] {
    return fieldChanges(this.fields, { base: this.state.basis.values, mine: this.state.values, theirs: this.valuesOf(current) });
  }

  /** Bases the form on the record as it is now; fields that were changed here keep their input unless another value is chosen. */
  private rebase(current: Row, chosen: FieldValues = {}): void {
    const mine = this.changesIn(current).filter(({ isChangedByMe }) => isChangedByMe);
    const input = Object.fromEntries(mine.map((change) => [change.field.name, change.mine]));
    this.fill(current);
    const values = { ...this.state.values, ...input, ...chosen };
    this.set({ values, dirty: this.fields.some(({ name }) => !isSameValue(values[name], this.state.basis.values[name])), conflict: undefined });
  }

  private read(detail: NonNullable<CrudCalls['detail']>, id: string): void {
    this.set({ status: 'loading' });
    const subscription = observeRequest(this.http, detail, { id }).subscribe((answer) => {
      if (!answer.success) return this.loadFailures.next();
      this.fill(answer.data as FieldValues);
      this.set({ status: 'editing' });
      if (this.pendingDraft) this.restore(this.pendingDraft.values, this.pendingDraft.basis);
    });
    this.lifetime.add(subscription);
  }

  /** Returns the input of the call: all fields of a new row, and of an edited one those that differ from the row as it was opened. */
  private body(): FieldValues {
    const { row, fields, crud } = this;
    const { basis } = this.state;
    const input = inputOf(fields, this.state.values, row?.id);
    if (!row) return { ...input, ...crud.submitInput };
    if (crud.isAction || basis.version === undefined) return { ...(crud.submitInput?.ids ? {} : { id: row.id }), ...input, ...crud.submitInput };
    return {
      id: row.id,
      version: basis.version,
      ...(basis.version === '' ? input : changedInput(fields, { input, opened: basis.values, values: this.state.values, id: row.id })),
    };
  }

  /** Saves the form; a conflict that concerns none of its fields, such as a counter, is resolved by saving again. */
  private send(values: FieldValues, repeats = maxRepeats): Observable<MutationResult> {
    const call = this.crud.submit;
    if (!call) throw new Error(`${this.crud.menu} has no submit call`);
    this.set({ status: 'saving' });
    return observeRequest(this.http, call, values, { idempotencyKey: this.idempotencyKey, isHandled: isConflict }).pipe(
      switchMap((answer) => {
        const found = recordConflictOf(answer, this.crud.entity);
        const changes = found ? this.changesIn(found.current) : [];
        if (!found || changes.some(({ isChangedByThem }) => isChangedByThem)) {
          this.settle(answer, found && { ...found, changes, isSaving: true });
          return of(mutationResultOf(answer));
        }
        this.idempotencyKey = randomKey();
        this.rebase(found.current);
        if (repeats > 0) return this.send(this.body(), repeats - 1);
        this.settle(answer);
        const message = 'msg' in answer ? answer.msg : '';
        return of({ success: false, localizedMessage: [message, message] as const });
      }),
    );
  }

  private settle(answer: RequestResult, conflict?: FormConflict): void {
    // After an answer the next submission is another request. Without one the same request is repeated.
    if (answer.code !== 0) this.idempotencyKey = randomKey();
    if (answer.success) {
      this.set({ status: 'editing', dirty: false });
      return;
    }
    const field = 'field' in answer && this.fields.some(({ name }) => name === answer.field) ? answer.field : undefined;
    const problems = field && 'msg' in answer ? { ...this.state.problems, [field]: [answer.msg, answer.msg] as const } : this.state.problems;
    const holder = field ? uniqueHolderOf(answer, field, this.state.values[field]) : undefined;
    this.set({ status: 'editing', problems, refused: field, holder, conflict });
  }
}

/** `crypto.randomUUID` is missing where the console is served over plain HTTP. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
