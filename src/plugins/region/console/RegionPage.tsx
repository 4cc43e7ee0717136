import { useState } from 'react';
import { CrudPage, SidePanel, useTranslation } from '#kernel';
import { codes } from '#shared/menu-entry';
import { region, regionMessages } from '../contract.ts';
import { regionMenu } from '../menus.ts';
import { nouns } from './nouns.ts';
import { RegionTrial } from './RegionTrial.tsx';

/** Shows regions as a tree that loads level by level; the parent of a new region is selected or derived from its code. */
export default function RegionPage() {
  const t = useTranslation();
  const [isTrying, setTrying] = useState(false);
  return (
    <>
      <CrudPage
        crud={region}
        title={regionMenu.title}
        noun={nouns.region}
        fields={['name', 'code', 'regionLevel', 'sort', 'remark']}
        actions={{
          row: [{ title: regionMessages.addBelow, code: codes(region.menu).add, onClick: ({ id, code }, screen) => screen.add({ parentId: id, code }) }],
          toolbar: [{ title: regionMessages.tryPicker, code: 'region_debug', onClick: () => setTrying(true) }],
        }}
      />
      {isTrying && (
        <SidePanel open title={t(regionMessages.tryPicker)} width={480} onClose={() => setTrying(false)}>
          <RegionTrial />
        </SidePanel>
      )}
    </>
  );
}
