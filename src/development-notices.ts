import type { LocalizedText } from '#shared/text';

/** A problem that `npm run dev` has found, with the SQL that solves it. */
interface DevelopmentNotice {
  readonly text: LocalizedText;
  readonly place?: string;
  readonly sql?: string;
  readonly remedy?: LocalizedText;
}

const texts = {
  title: ['开发提示', 'Development'],
  copy: ['复制 SQL', 'Copy SQL'],
  copied: ['已复制', 'Copied'],
  close: ['关闭', 'Dismiss'],
} as const satisfies Record<string, LocalizedText>;

const styles = `
  :host { position: fixed; z-index: 100000; inset: auto 16px 16px auto; max-width: min(560px, calc(100vw - 32px)); font: 14px/1.5 system-ui, sans-serif; }
  section { max-height: 50vh; overflow: auto; padding: 12px 16px; border: 1px solid var(--line, #d0d3d9); border-radius: 8px;
    background: var(--surface, #fff); color: var(--text, #1d2129); box-shadow: 0 6px 24px rgb(0 0 0 / 16%); }
  header { display: flex; align-items: center; justify-content: space-between; gap: 16px; font-weight: 600; }
  article { margin-top: 8px; overflow-wrap: anywhere; }
  article > * { margin: 4px 0; }
  small { display: block; color: var(--text-soft, #6b7785); }
  pre { padding: 8px; border-radius: 4px; background: var(--surface-sunken, rgb(0 0 0 / 5%)); white-space: pre-wrap; }
  button { padding: 2px 8px; border: 1px solid var(--line, #d0d3d9); border-radius: 4px; background: none; color: inherit; font: inherit; cursor: pointer; }
`;

/** Shows the problems that `npm run dev` has found above the console, until they are solved or the author dismisses them. Only development builds contain it. */
class DevelopmentNotices extends HTMLElement {
  private notices: readonly DevelopmentNotice[] = [];
  private dismissed = '[]';
  private source: EventSource | undefined;
  private readonly root = this.attachShadow({ mode: 'open' });

  connectedCallback(): void {
    new MutationObserver(() => this.render()).observe(document.documentElement, { attributeFilter: ['lang'] });
    // A hidden tab has no connection, because a browser opens only six of them to one server.
    document.addEventListener('visibilitychange', () => this.connect());
    this.connect();
  }

  private connect(): void {
    this.source?.close();
    if (document.visibilityState === 'hidden') return;
    this.source = new EventSource('/development/notices');
    this.source.onmessage = ({ data }) => {
      this.notices = JSON.parse(data) as DevelopmentNotice[];
      this.render();
    };
  }

  private render(): void {
    const state = JSON.stringify(this.notices);
    this.root.replaceChildren();
    if (this.notices.length === 0 || state === this.dismissed) return;
    const close = this.button(texts.close, () => {
      this.dismissed = state;
      this.render();
    });
    const section = element('section', [
      element('header', [element('span', [this.t(texts.title)]), close]),
      ...this.notices.map((notice) => this.article(notice)),
    ]);
    section.setAttribute('role', 'status');
    section.setAttribute('aria-label', this.t(texts.title));
    this.root.append(element('style', [styles]), section);
  }

  private article({ text, place, sql, remedy }: DevelopmentNotice): HTMLElement {
    const copy = sql && this.button(texts.copy, (button) => void navigator.clipboard?.writeText(sql).then(() => button.replaceChildren(this.t(texts.copied))));
    return element('article', [
      ...(place ? [element('small', [place])] : []),
      element('p', [this.t(text)]),
      ...(sql ? [element('pre', [sql.trim()])] : []),
      ...(copy ? [copy] : []),
      ...(remedy ? [element('small', [this.t(remedy)])] : []),
    ]);
  }

  private button(text: LocalizedText, onClick: (button: HTMLElement) => void): HTMLElement {
    const button = element('button', [this.t(text)]);
    button.addEventListener('click', () => onClick(button));
    return button;
  }

  private t([chinese, english]: LocalizedText): string {
    return document.documentElement.lang.startsWith('en') ? english : chinese;
  }
}

function element(name: string, children: readonly (Node | string)[]): HTMLElement {
  const created = document.createElement(name);
  created.append(...children);
  return created;
}

customElements.define('development-notices', DevelopmentNotices);
document.body.append(document.createElement('development-notices'));
