"""Makes the workbooks of this folder with openpyxl 3.0.9 (Debian: python3-openpyxl). The tests read them; none of them runs this file.

    /usr/bin/python3 make-samples.py
    soffice --headless --convert-to xlsx:"Calc MS Excel 2007 XML" --outdir libreoffice openpyxl.xlsx
    mv libreoffice/openpyxl.xlsx libreoffice.xlsx && rmdir libreoffice

LibreOffice (7.4) computes the formulas and saves their results; openpyxl saves formulas without results.
"""

from datetime import date, datetime, time

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.datavalidation import DataValidation


def fill(sheet):
    sheet.append(['文本', 'number', 'day', 'moment', 'time', 'yes', 'formula', 'error', 'percent'])
    sheet.append(['海山 <&> "a"', 1234.5, date(2026, 1, 31), datetime(2026, 1, 31, 8, 30, 15), time(8, 30), True, '=B2*2', '#N/A', 0.25])
    sheet.append([' two\nlines ', -7, date(1999, 12, 31), datetime(2024, 2, 29, 23, 59, 59), time(23, 59, 59), False, '="="&A2', '#DIV/0!', 1])
    sheet['I2'].number_format = sheet['I3'].number_format = '0.00%'
    sheet['C3'].number_format = 'yyyy"年"m"月"d"日"'
    sheet['B3'].number_format = '#,##0.00_);[Red](#,##0.00)'
    # Row 4 stays empty, row 5 is hidden, row 6 is merged.
    sheet['A5'] = 'hidden'
    sheet.row_dimensions[5].hidden = True
    sheet['B6'] = 'merged'
    sheet.merge_cells('B6:D6')
    sheet['E6'] = 'after'
    sheet['A1'].comment = Comment('a note', 'tests')
    rule = DataValidation(type='list', formula1='"甲,乙"', allow_blank=True)
    sheet.add_data_validation(rule)
    rule.add('A2:A100')
    sheet.column_dimensions['A'].width = 30
    sheet.freeze_panes = 'A2'


book = Workbook()
fill(book.active)
book.create_sheet('second').append(['not read'])
book.save('openpyxl.xlsx')

streamed = Workbook(write_only=True)
sheet = streamed.create_sheet()
for row in range(1, 1001):
    sheet.append([f'row {row}', row, datetime(2026, 1, 1, 0, 0, 1)])
streamed.save('openpyxl-write-only.xlsx')

old = Workbook()
old.epoch = CALENDAR_MAC_1904
old.active.append([date(2026, 1, 31), datetime(2026, 1, 31, 8, 30)])
old.save('openpyxl-1904.xlsx')
