import { useState } from 'react';
import { FilePreview, UploadArea, useTranslation } from '#kernel';
import { kinds, type ResourceRow } from '../contract.ts';
import { Contents } from './Contents.tsx';
import { MovePanel } from './MovePanel.tsx';
import { words } from './messages.ts';
import { NamePanel } from './NamePanel.tsx';
import { Numbers } from './Numbers.tsx';
import { type Folder, Path } from './Path.tsx';
import { Bar, type ResourceLayout, type ResourceOwner } from './ResourceBar.tsx';
import styles from './resource.module.css';
import { useResourceActions } from './use-resource-actions.ts';

/** State of the side panel. */
type ResourcePanelState = { readonly what: 'folder' } | { readonly what: 'name' | 'move'; readonly of: ResourceRow };

/** Shows the folders and files of departments. Uploads go to the open folder. */
export default function ResourcePage() {
  const t = useTranslation();
  const [path, setPath] = useState<readonly Folder[]>([]);
  const [whose, setWhose] = useState<ResourceOwner>('department');
  const [look, setLook] = useState<ResourceLayout>('grid');
  const [name, setName] = useState('');
  const [round, setRound] = useState(0);
  const [asked, setAsked] = useState<ResourcePanelState>();
  const [shown, setShown] = useState<ResourceRow>();
  const acts = useResourceActions(() => setRound((before) => before + 1));
  const pid = path.at(-1)?.id ?? '0';
  const closed = () => setAsked(undefined);
  const open = (row: ResourceRow) => {
    if (row.type === kinds.file) return setShown(row);
    setPath([...path, { id: row.id, name: row.name }]);
    setName('');
  };
  return (
    <>
      <UploadArea code="depart_resource_add" onArrived={(file) => void acts.keep(file, pid)}>
        {(pick) => (
          <>
            <Bar pick={pick} {...{ whose, look, name }} onWhose={setWhose} onLook={setLook} onFind={setName} onAddFolder={() => setAsked({ what: 'folder' })} />
            <div className={styles.place}>
              <Path path={path} onWalk={setPath} onDrop={(id, to) => void acts.move(id, to)} />
              {whose === 'department' && name === '' && <Numbers pid={pid} round={round} />}
            </div>
            <Contents
              key={`${pid} ${whose} ${name}`}
              {...{ pid, whose, name, look, round }}
              onOpen={open}
              onRename={(of) => setAsked({ what: 'name', of })}
              onMove={(of) => setAsked({ what: 'move', of })}
              onRemove={(of) => void acts.remove(of)}
              onDrop={(id, to) => void acts.move(id, to)}
            />
          </>
        )}
      </UploadArea>
      {asked?.what === 'folder' && (
        <NamePanel title={t(words.addFolder)} label={t(words.folderName)} initial="" onSave={(typed) => acts.addFolder(typed, pid)} onClose={closed} />
      )}
      {asked?.what === 'name' && (
        <NamePanel
          title={t(words.renameOf, { name: asked.of.name })}
          label={t(words.name)}
          initial={asked.of.name}
          onSave={(typed) => acts.rename(asked.of.id, typed)}
          onClose={closed}
        />
      )}
      {asked?.what === 'move' && <MovePanel of={asked.of} onMove={(to) => void acts.move(asked.of.id, to)} onClose={closed} />}
      {shown?.url && <FilePreview of={{ type: shown.mime ?? '', link: shown.url, originalName: shown.name }} onClose={() => setShown(undefined)} />}
    </>
  );
}
