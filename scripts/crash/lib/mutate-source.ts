import ts from 'typescript';

/** A small change to the source that some test must notice. */
export interface SourceMutation {
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The whole mutated source. */
  readonly source: string;
}

const swapped = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.QuestionQuestionToken, '&&'],
]);

/** Lists all mutations of a source file: operators, conditions, literals and removed statements. */
export function mutationsOf(path: string, source: string): readonly SourceMutation[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: SourceMutation[] = [];
  const add = (node: ts.Node, after: string): void => {
    const [start, end] = [node.getStart(file), node.getEnd()];
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ line, before: node.getText(file), after, source: source.slice(0, start) + after + source.slice(end) });
  };
  const visit = (node: ts.Node): void => {
    // Types and imports do not run.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = swapped.get(node.operatorToken.kind);
      if (operator !== undefined) add(node.operatorToken, operator);
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, node.operand.getText(file));
    }
    if (ts.isIfStatement(node)) {
      add(node.expression, 'false');
      add(node.expression, 'true');
    }
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(file)})`);
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    if (ts.isNumericLiteral(node)) add(node, `(${node.getText(file)} + 1)`);
    if (ts.isExpressionStatement(node)) add(node, ';');
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
