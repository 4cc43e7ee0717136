import { Select } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { CrudPage, matchesSearch, SidePanel, usePinyin, useQuery, useTranslation } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import { Region, region } from '../contract.ts';
import { regionMenu } from '../menus.ts';
import { nouns, regionMessages } from './messages.ts';

type Nodes = ReplyOf<typeof region.lazyTree>;

const levels = traitsOf(Region.fields.regionLevel)?.options?.slice(1) ?? [];

/** Selects a region level by level, and shows the code that a field would store. */
function RegionPickerTest() {
  const t = useTranslation();
  const [selected, setSelected] = useState<Nodes>([]);
  const last = selected.at(-1);
  const parents = [undefined, ...selected.filter(({ hasChildren }) => hasChildren).map(({ value }) => value)];
  return (
    <div>
      {parents.map((parentCode, index) => (
        <LevelSelect
          key={parentCode ?? 'country'}
          index={index}
          parentCode={parentCode}
          onSelect={(node) => setSelected([...selected.slice(0, index), node])}
        />
      ))}
      <p role="status">{last && t(regionMessages.selected, { code: last.value, path: selected.map(({ title }) => title).join(' / ') })}</p>
    </div>
  );
}

interface LevelSelectProps {
  readonly index: number;
  readonly parentCode: string | undefined;
  readonly onSelect: (node: Nodes[number]) => void;
}

function LevelSelect({ index, parentCode, onSelect }: LevelSelectProps) {
  const t = useTranslation();
  const id = useId();
  usePinyin();
  const { data: nodes = [] } = useQuery(region.lazyTree, parentCode === undefined ? {} : { parentCode });
  const select = (code: string) => {
    const node = nodes.find((each) => each.value === code);
    if (node) onSelect(node);
  };
  if (nodes.length === 0) return null;
  return (
    <div>
      <span id={id}>{t(levels[index]?.[1] ?? regionMessages.level)}</span>
      <Select
        aria-labelledby={id}
        showSearch
        filterOption={(typed, option) => matchesSearch(String((option as { props: { children: string } }).props.children), typed)}
        options={nodes.map((node) => ({ label: node.title, value: node.value }))}
        onChange={select}
      />
    </div>
  );
}

/** Shows regions as a tree that loads level by level; the parent of a new region is selected or derived from its code. */
export default function RegionPage() {
  const t = useTranslation();
  const [isTesting, setIsTesting] = useState(false);
  return (
    <>
      <CrudPage
        crud={region}
        title={regionMenu.title}
        noun={nouns.region}
        fields={['name', 'code', 'regionLevel', 'sort', 'remark']}
        actions={{
          row: [{ title: regionMessages.addBelow, code: codes(region.menu).add, onClick: ({ id, code }, screen) => screen.add({ parentId: id, code }) }],
          toolbar: [{ title: regionMessages.testPicker, code: 'region_debug', onClick: () => setIsTesting(true) }],
        }}
      />
      {isTesting && (
        <SidePanel open title={t(regionMessages.testPicker)} width={480} onClose={() => setIsTesting(false)}>
          <RegionPickerTest />
        </SidePanel>
      )}
    </>
  );
}
