import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BehaviorSubject } from 'rxjs';
import { Session } from '../../src/kernel/auth/session.ts';
import { CrudPage } from '../../src/kernel/crud/CrudPage.tsx';
import type { CrudPageProps } from '../../src/kernel/crud/crud-screen.ts';
import { Http } from '../../src/kernel/http/http.ts';
import { KernelTexts } from '../../src/kernel/i18n/kernel-texts.ts';
import { Locale } from '../../src/kernel/i18n/locale.ts';
import { Permission } from '../../src/kernel/permission/permission.ts';
import type { ServiceClass } from '../../src/kernel/plugin.ts';
import { ServicesProvider } from '../../src/kernel/services.tsx';
import { Dialogs, type Question } from '../../src/kernel/shell/dialogs.ts';
import { Toasts } from '../../src/kernel/shell/toasts.ts';
import { JsonStorage } from '../../src/kernel/storage.ts';
import { type Pane, PaneContext } from '../../src/kernel/tabs/pane-context.ts';
import type { Entity } from '../../src/shared/contract.ts';
import { type Language, say } from '../../src/shared/text.ts';
import { ScriptedHttp } from './scripted-http.ts';

export interface ScreenOptions {
  readonly answers: ConstructorParameters<typeof ScriptedHttp>[0];
  readonly codes?: readonly string[];
  readonly language?: Language;
  readonly pane?: Pane;
  /** What the operator says when asked. */
  readonly confirms?: boolean;
  readonly userId?: string;
}

/** Shows a generic screen before a scripted server; toasts and questions are collected as their texts. */
export async function showCrud<E extends Entity>(props: CrudPageProps<E>, options: ScreenOptions) {
  const { language = 'zh', confirms = true, userId = '1' } = options;
  const http = new ScriptedHttp(options.answers);
  const said: string[] = [];
  const toast = (kind: string) => (text: string) => void said.push(`${kind}: ${text}`);
  const codes$ = new BehaviorSubject<ReadonlySet<string>>(new Set(options.codes ?? []));
  const texts = new KernelTexts();
  await texts.start(language);
  const confirm = async ({ title, content }: Question) => {
    said.push(`asked: ${content ?? title}`);
    return confirms;
  };
  const services = new Map<ServiceClass, unknown>([
    [Http, http],
    [KernelTexts, texts],
    [Locale, { language$: new BehaviorSubject(language), language, say: (words: Parameters<typeof say>[0]) => say(words, language) }],
    [Permission, { codes$, may: (code: string) => codes$.value.has(code) }],
    [Toasts, { success: toast('success'), info: toast('info'), warning: toast('warning'), error: toast('error') }],
    [Dialogs, { confirm }],
    [Session, { user: { user_id: userId, tenant_id: '000000' } }],
    [JsonStorage, new JsonStorage(localStorage, 'test-')],
  ]);
  const pane = options.pane ?? { setDirty: () => {} };
  const view = render(
    <ServicesProvider services={{ get: <Service,>(identifier: ServiceClass<Service>) => services.get(identifier) as Service }}>
      <PaneContext value={pane}>
        <CrudPage {...props} />
      </PaneContext>
    </ServicesProvider>,
  );
  const settle = () => act(async () => void (await new Promise((resolve) => setTimeout(resolve, 20))));
  await settle();
  return { ...view, http, said, codes$, settle, user: userEvent.setup({ pointerEventsCheck: 0 }) };
}
