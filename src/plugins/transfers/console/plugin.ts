import { contribute, definePlugin, HeaderItems, Http, ListToolbarItems, Live, lazyComponent, RecordHistoryItems } from '#kernel';
import { TransferButtons } from './TransferButtons.tsx';
import { TransferCentreButton } from './TransferCentreButton.tsx';
import { TransferCentre } from './transfer-centre.ts';

const HistoryExportButtons = lazyComponent(() => import('./HistoryExportButtons.tsx'));

/** Exports and imports: buttons above every list, and the download centre in the top bar. */
export default definePlugin({
  id: 'transfers',
  title: ['导入导出', 'Exports and imports'],
  provide: (provide) => provide(TransferCentre, [Http, Live]),
  contributions: [
    contribute(HeaderItems, { Item: TransferCentreButton }),
    contribute(ListToolbarItems, { Item: TransferButtons }),
    contribute(RecordHistoryItems, { Item: HistoryExportButtons }),
  ],
});
