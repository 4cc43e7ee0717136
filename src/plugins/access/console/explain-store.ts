import { EMPTY, Subject, Subscription, switchMap } from 'rxjs';
import { type Http, observeRequest, Store } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import type { Explanation } from '#shared/permission-explanation';
import { permissionExplanation } from '../contract.ts';

export type Person = ReplyOf<(typeof permissionExplanation)['people']>[number];

/** A question about a permission; an empty text means that the value is not selected yet. */
export interface ExplainQuestion {
  readonly userId: string;
  readonly about: string;
  readonly rowId: string;
}

interface ExplainState {
  readonly asked: ExplainQuestion;
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
  readonly answer: Explanation | undefined;
  readonly people: readonly Person[];
  readonly entries: ReplyOf<(typeof permissionExplanation)['entries']>;
  readonly calls: ReplyOf<(typeof permissionExplanation)['calls']>;
}

/** State of one question about a permission; any change of the question loads a new answer. */
export class ExplainStore extends Store<ExplainState> {
  readonly lifetime = new Subscription();
  private readonly asked$ = new Subject<ExplainQuestion>();
  private hasBegun = false;

  constructor(
    private readonly http: Http,
    asked: ExplainQuestion,
  ) {
    super({ asked, status: 'idle', answer: undefined, people: [], entries: [], calls: [] });
    const answers$ = this.asked$.pipe(
      switchMap((question) => (question.about === '' ? EMPTY : observeRequest(http, permissionExplanation.of, inputOf(question)))),
    );
    this.lifetime.add(
      answers$.subscribe((answer) => this.become(answer.success ? { status: 'ready', answer: answer.data } : { status: 'failed', answer: undefined })),
    );
  }

  /** Loads the selectable subjects once, and the answer when the question is complete. */
  async begin(): Promise<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.ask({});
    void this.findPeople('');
    const answer = await this.http.send(permissionExplanation.entries, {}).catch(() => undefined);
    if (answer?.success) this.become({ entries: answer.data });
  }

  async findPeople(text: string): Promise<void> {
    const answer = await this.http.send(permissionExplanation.people, { text }).catch(() => undefined);
    if (answer?.success) this.become({ people: answer.data });
  }

  async findCalls(text: string): Promise<void> {
    const answer = await this.http.send(permissionExplanation.calls, { text }).catch(() => undefined);
    if (answer?.success) this.become({ calls: answer.data });
  }

  ask(change: Partial<ExplainQuestion>): void {
    const question = { ...this.state.asked, ...change };
    this.become({ asked: question, ...(question.about === '' ? { status: 'idle', answer: undefined } : { status: 'loading' }) });
    this.asked$.next(question);
  }

  private become(part: Partial<ExplainState>): void {
    if (!this.lifetime.closed) this.update(() => ({ ...this.state, ...part }));
  }
}

const inputOf = ({ userId, about, rowId }: ExplainQuestion) => ({ about, ...(userId ? { userId } : {}), ...(/^\d+$/.test(rowId) ? { rowId } : {}) });
