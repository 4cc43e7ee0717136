import { problem } from '#shared/errors';

/** Reasons why base data is refused. */
export const baseDataProblems = {
  wrongPattern: problem(400, ['链接规则第 {line} 行格式不正确', 'Line {line} of the link patterns is invalid.']),
  noRegion: problem(400, ['行政区划不存在', 'Region not found.']),
  noCity: problem(400, ['请选择地市或区县', 'Select a city or district.']),
};
