import { EMPTY, Subject, switchMap } from 'rxjs';
import { type Http, observeRequest } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import type { Explanation } from '#shared/permission-explanation';
import { permissionExplanation } from '../explain-contract.ts';
import { PanelStore } from './panel-store.ts';

export type ExplainedPerson = ReplyOf<(typeof permissionExplanation)['people']>[number];

/** Question about a permission; an empty text means that the value is not selected yet. */
export interface ExplainQuestion {
  readonly userId: string;
  readonly about: string;
  readonly rowId: string;
}

interface ExplainState {
  readonly question: ExplainQuestion;
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
  readonly answer: Explanation | undefined;
  readonly people: readonly ExplainedPerson[];
  readonly entries: ReplyOf<(typeof permissionExplanation)['entries']>;
  readonly calls: ReplyOf<(typeof permissionExplanation)['calls']>;
}

/** State of one question about a permission; any change of the question loads a new answer. */
export class ExplainStore extends PanelStore<ExplainState> {
  private readonly question$ = new Subject<ExplainQuestion>();
  private readonly peopleText$ = new Subject<string>();

  constructor(
    private readonly http: Http,
    question: ExplainQuestion,
  ) {
    super({ question, status: 'idle', answer: undefined, people: [], entries: [], calls: [] });
    const answers$ = this.question$.pipe(switchMap((next) => (next.about === '' ? EMPTY : observeRequest(http, permissionExplanation.explain, inputOf(next)))));
    this.lifetime.add(
      answers$.subscribe((answer) => this.patch(answer.success ? { status: 'ready', answer: answer.data } : { status: 'failed', answer: undefined })),
    );
    const people$ = this.peopleText$.pipe(switchMap((text) => observeRequest(http, permissionExplanation.people, { text })));
    this.lifetime.add(people$.subscribe((answer) => answer.success && this.patch({ people: answer.data })));
  }

  /** Loads the selectable users and entries, and the answer when the question is complete. */
  async load(): Promise<void> {
    this.ask({});
    this.findPeople('');
    const answer = await this.http.send(permissionExplanation.entries, {}).catch(() => undefined);
    if (answer?.success) this.patch({ entries: answer.data });
  }

  /** Loads the users whose name or account contains a text. */
  findPeople(text: string): void {
    this.peopleText$.next(text);
  }

  /** Loads all calls, which the picker searches. */
  async loadCalls(): Promise<void> {
    const answer = await this.http.send(permissionExplanation.calls, {}).catch(() => undefined);
    if (answer?.success) this.patch({ calls: answer.data });
  }

  /** Changes the question and loads its answer; without a change, loads the same answer again. */
  ask(change: Partial<ExplainQuestion>): void {
    const question = { ...this.state.question, ...change };
    this.patch({ question, ...(question.about === '' ? { status: 'idle', answer: undefined } : { status: 'loading' }) });
    this.question$.next(question);
  }
}

const inputOf = ({ userId, about, rowId }: ExplainQuestion) => ({ about, ...(userId ? { userId } : {}), ...(/^\d+$/.test(rowId) ? { rowId } : {}) });
