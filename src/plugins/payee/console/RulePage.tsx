import { CrudPage } from '#kernel';
import { withholdingRule } from '../contract.ts';
import { withholdingRuleMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

/** Lists the rules of withholding, the newest first; without one nothing is withheld. */
export default function RulePage() {
  return <CrudPage crud={withholdingRule} title={withholdingRuleMenu.title} noun={nouns.rule} formWidth={760} />;
}
