// How a cell of a terminal looks, as the parameters of the sequence that makes it look so.

/** As emulators of terminals tell it of a cell, or of what is written next. */
export type CellLook = {
  readonly isBold: () => number;
  readonly isDim: () => number;
  readonly isItalic: () => number;
  readonly isUnderline: () => number;
  readonly isBlink: () => number;
  readonly isInverse: () => number;
  readonly isInvisible: () => number;
  readonly isStrikethrough: () => number;
  readonly isOverline: () => number;
  readonly isFgRGB: () => boolean;
  readonly isFgPalette: () => boolean;
  readonly getFgColor: () => number;
  readonly isBgRGB: () => boolean;
  readonly isBgPalette: () => boolean;
  readonly getBgColor: () => number;
};

/** What sets exactly this, whatever was set before. */
export function sgrOf(of: CellLook): string {
  const flags = [
    ...[of.isBold(), of.isDim(), of.isItalic(), of.isUnderline(), of.isBlink()].map((on, index) =>
      on ? index + 1 : 0,
    ),
    ...[of.isInverse() ? 7 : 0, of.isInvisible() ? 8 : 0, of.isStrikethrough() ? 9 : 0, of.isOverline() ? 53 : 0],
  ].filter((code) => code > 0);
  const fg = colourOf(of.isFgRGB(), of.isFgPalette(), of.getFgColor(), 30);
  return [0, ...flags, ...fg, ...groundCodes(of)].join(";");
}

/** What erasing leaves of a look. */
export function groundOf(of: CellLook): string {
  return [0, ...groundCodes(of)].join(";");
}

function groundCodes(of: CellLook): number[] {
  return colourOf(of.isBgRGB(), of.isBgPalette(), of.getBgColor(), 40);
}

function colourOf(isRgb: boolean, isPalette: boolean, colour: number, base: number): number[] {
  if (isRgb) return [base + 8, 2, (colour >> 16) & 255, (colour >> 8) & 255, colour & 255];
  if (!isPalette) return [];
  if (colour < 8) return [base + colour];
  return colour < 16 ? [base + 60 + colour - 8] : [base + 8, 5, colour];
}
