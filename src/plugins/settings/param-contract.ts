import { crud, entity, event } from '#shared/contract';
import { Id, LongText, Nullable, Text } from '#shared/fields';

export const Param = entity(
  'param',
  {
    id: Id(),
    paramName: Text({ title: ['参数名称', 'Parameter name'], maxLength: 64, search: true, sort: true, englishIn: 'paramNameEn' }),
    paramKey: Text({ title: ['参数键名', 'Parameter key'], maxLength: 64, search: true, sort: true }),
    paramNameEn: Nullable(Text({ title: ['英文名称', 'English name'], maxLength: 128, search: true, list: false })),
    paramValue: LongText({ title: ['参数键值', 'Parameter value'] }),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform' },
);

export const param = crud('/api/blade-system/param', Param);

export const ParamSaved = event<{ paramKey: string }>('settings:param-saved');
