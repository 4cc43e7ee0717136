import { Suspense, useContext, useState } from 'react';
import type { RelatedList } from '#shared/record-uses';
import { ServicesProvider, useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { PageBoundary } from '../../ui/errors/PageBoundary.tsx';
import { PageSkeleton } from '../../ui/loading/PageSkeleton.tsx';
import { type ComponentLoader, useLoadedComponent } from '../../ui/loading/use-loaded-component.ts';
import { type Pane, PaneContext } from '../../ui/pane/pane-context.ts';
import { recordMessages } from './record-messages.ts';
import { ShownRelation } from './related-list.ts';

/** Shows the page of another entity within a record, restricted to the rows that refer to it, with the services of its plugin. */
export default function RelatedRows({ relation }: { readonly relation: RelatedList }) {
  const t = useTranslation();
  const host = useService(PluginHost);
  const pages = useStream(host.pages$, host.registeredPages);
  const parent = useContext(PaneContext);
  // The address and the title of the tab belong to the record.
  const [pane] = useState((): Pane => {
    const { address: _, setTitle: __, setDetails: ___, ...rest } = parent;
    return { ...rest, isPanel: true, setDirty: (dirty, source) => parent.setDirty(dirty, source) };
  });
  const page = pages.byCode.get(relation.menu);
  if (!page) return <p className="record__note">{t(recordMessages.unavailable)}</p>;
  return (
    <PageBoundary
      key={relation.menu}
      onError={(error) => host.pageFailed(page.pluginId, error)}
      fallback={() => <p className="record__note">{t(recordMessages.unavailable)}</p>}
    >
      <PaneContext value={pane}>
        <ServicesProvider services={page.services}>
          <ShownRelation value={relation}>
            <Suspense fallback={<PageSkeleton />}>
              <LoadedPage load={page.load} />
            </Suspense>
          </ShownRelation>
        </ServicesProvider>
      </PaneContext>
    </PageBoundary>
  );
}

function LoadedPage({ load }: { readonly load: ComponentLoader }) {
  const Page = useLoadedComponent(load);
  return Page ? <Page /> : <PageSkeleton />;
}
