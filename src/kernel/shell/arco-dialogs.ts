import { Dialogs, type Question } from './dialogs.ts';

/** Questions by Arco's Modal, which is fetched with the first of them; closing one in any way but its button is a no. */
export class ArcoDialogs extends Dialogs {
  private readonly modal = () => import('./arco-modal.ts');
  private takeAway: (() => void) | undefined;

  async confirm({ title, content, confirm, cancel, danger = false }: Question): Promise<boolean> {
    const fetched = await this.modal().catch(() => undefined);
    // Without the network the browser asks.
    if (!fetched) return window.confirm(`${title}\n${content}`);
    const { Modal } = fetched;
    this.takeAway = () => Modal.destroyAll();
    return new Promise((resolve) => {
      Modal.confirm({
        title,
        content,
        okText: confirm,
        cancelText: cancel,
        okButtonProps: danger ? { status: 'danger' } : {},
        onOk: () => resolve(true),
        onCancel: () => resolve(false),
      });
    });
  }

  /** Takes away what is still open; nobody is asked about a session that is over. */
  dispose(): void {
    this.takeAway?.();
  }
}
