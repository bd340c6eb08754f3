// Stands in for the style elements of the terminal's library, which the page's policy forbids: whoever could write one could
// restyle what a person approves. A sheet made by script is allowed. vite.config.ts has the library make these instead.

export class SheetElement extends HTMLElement {
  readonly #sheet = new CSSStyleSheet();

  override get textContent(): string {
    return [...this.#sheet.cssRules].map(({ cssText }) => cssText).join("\n");
  }

  override set textContent(text: string | null) {
    this.#sheet.replaceSync(text ?? "");
  }

  connectedCallback(): void {
    document.adoptedStyleSheets.push(this.#sheet);
  }

  disconnectedCallback(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }
}

customElements.define("signalbox-sheet", SheetElement);
