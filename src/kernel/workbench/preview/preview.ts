import type { UserFacts } from '#shared/auth';
import { rolePreview } from '#shared/role-preview';
import type { Toasts } from '../../platform/feedback/toasts.ts';
import type { Answer, Http } from '../../platform/http/http.ts';
import { TransportError } from '../../platform/http/transport-error.ts';
import type { KernelTexts } from '../../platform/i18n/kernel-texts.ts';
import type { Session } from '../../platform/session/session.ts';
import type { Tabs } from '../tabs/tabs.ts';

/** Dependencies of the preview. */
export interface PreviewDeps {
  readonly http: Http;
  readonly session: Session;
  readonly tabs: Tabs;
  readonly toasts: Toasts;
  readonly texts: KernelTexts;
}

/** Previews the console with other roles. Open pages close when it begins and ends, because they may show data these roles may not see. */
export class Preview {
  constructor(private readonly deps: PreviewDeps) {}

  /** Does nothing when the operator keeps unsaved changes. */
  async begin(roleIds: readonly string[]): Promise<void> {
    const { http, tabs } = this.deps;
    if (await tabs.closeAll()) await this.applyRoles(http.send(rolePreview.begin, { roleIds: [...roleIds] }));
  }

  async end(): Promise<void> {
    const { http, tabs, toasts, texts } = this.deps;
    if (!(await this.applyRoles(http.send(rolePreview.end, {})))) return;
    toasts.success(texts.text('preview.ended'));
    await tabs.closeAll();
  }

  private async applyRoles(request: Promise<Answer<UserFacts>>): Promise<boolean> {
    const answer = await request.catch((error: unknown) => this.showFailure(error));
    if (answer?.success) this.deps.session.updateRoles(answer.data);
    return answer?.success === true;
  }

  private showFailure(error: unknown): undefined {
    const isCancelled = error instanceof TransportError && error.fault === 'cancelled';
    if (!isCancelled) this.deps.toasts.error(this.deps.texts.text('signIn.unreachable'));
  }
}
