import { CrudPage } from '#kernel';
import { reportFormat } from '../contract.ts';
import { reportFormatMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

/** Lists the formats of report files, the newest first. */
export default function FormatPage() {
  return <CrudPage crud={reportFormat} title={reportFormatMenu.title} noun={nouns.reportFormat} formWidth={760} />;
}
