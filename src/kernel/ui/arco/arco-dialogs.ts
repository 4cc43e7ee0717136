import { Dialogs, type Question } from '../../platform/feedback/dialogs.ts';
import type { Locale } from '../../platform/i18n/locale.ts';

/** Asks questions with Arco's Modal, which is loaded with the first one; closing the dialog in any way but its confirm button counts as no. */
export class ArcoDialogs extends Dialogs {
  private closeAll: (() => void) | undefined;

  constructor(
    private readonly locale: Pick<Locale, 't'>,
    private readonly loadModal = () => import('./arco-modal.ts'),
  ) {
    super();
  }

  async confirm({ title, content, confirm = title, cancel = this.locale.t('shell.cancel'), danger = false }: Question): Promise<boolean> {
    const module = await this.loadModal().catch(() => undefined);
    // The browser's own dialog asks when the network is down.
    if (!module) return window.confirm(content === undefined ? title : `${title}\n${content}`);
    const { Modal } = module;
    this.closeAll = () => Modal.destroyAll();
    return new Promise((resolve) => {
      Modal.confirm({
        title,
        content,
        okText: confirm,
        cancelText: cancel,
        okButtonProps: danger ? { status: 'danger' } : {},
        onOk: () => resolve(true),
        // Also called when `dispose` closes the dialog; the promise has been resolved already after a click on a button.
        afterClose: () => resolve(false),
        onCancel: () => resolve(false),
      });
    });
  }

  /** Closes open questions: they must not outlive the session. */
  dispose(): void {
    this.closeAll?.();
  }
}
