// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.predict;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DataFiles;
import io.gradstream.cli.options.DataFormatOptions;
import io.gradstream.cli.options.DataOptions;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.ModelDescription;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.training.Examples;
import io.gradstream.training.Loss;
import io.gradstream.training.Model;
import io.gradstream.training.form.ExampleRule;
import io.gradstream.training.metric.Metric;
import io.gradstream.training.metric.Metrics;
import io.gradstream.training.model.ModelSpec;
import io.gradstream.training.model.Scoring;
import io.gradstream.model.ModelFile;
import io.gradstream.model.TableEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Predicts with a model file, without a cluster. */
@Command(name = "predict", description = "Predict with a model file: a line for each example, and how good they are.")
public final class PredictCommand implements Callable<Integer>
{
    /** Share of look-ups that find a feature, below which a person is asked if the features are those of training. */
    private static final double LEAST_SHARE_FOUND = 0.1;

    @Spec
    private CommandSpec command;

    @Mixin
    private DataFormatOptions format;

    @Option(names = "--model", paramLabel = "FILE", required = true,
        description = "Model file, as train --out and model export write it. It says what --format and its options" +
            " are, unless it was taken out of a cluster that runs.")
    private Path modelFile;

    @Option(names = "--data", paramLabel = "FILE", split = CommonOptions.COMMA, required = true,
        description = "What to predict, as --format says, plain, .gz or .zst; several separated by commas.")
    private List<Path> data;

    @Option(names = "--labels", paramLabel = "FILE", split = CommonOptions.COMMA,
        description = "Of idx: the labels of each file of --data.")
    private List<Path> labels = List.of();

    @Option(names = "--no-labels",
        description = "The data have no labels, or none that are true, which are not looked at: csv and tsv may lack" +
            " the column --label, criteo its first; idx has no --labels.")
    private boolean isWithoutLabels;

    @Option(names = "--out", paramLabel = "FILE",
        description = "File to write predictions to, which is not there yet. Default: standard output, and metrics go" +
            " to standard error.")
    private Path out;

    @Option(names = "--metric", paramLabel = "accuracy|auc|logloss|rmse",
        description = "How good predictions are, where there are labels. Default: all that go with the model.")
    private String metric;

    @Option(names = "--model-type", paramLabel = "logistic|linear|softmax|fm|mf",
        description = "What the model is, where the name of its table does not say so.")
    private String modelType;

    @Option(names = "--mean", paramLabel = "M", defaultValue = "0",
        description = "Of --model-type mf: what it was trained with. Default: ${DEFAULT-VALUE}.")
    private double mean;

    @Override
    public Integer call() throws IOException
    {
        DataOptions.checkFile("model", modelFile);
        checkWithoutModel();
        try (ModelFile file = ModelFile.open(modelFile))
        {
            takeFormatOf(file);
            validate();
            final TableEntry table = table(file);
            final ModelSpec spec = spec(table.spec());
            final List<Metric> metrics = isWithoutLabels ? List.of() : metrics(spec);
            final Examples examples = isWithoutLabels ? format.readWithoutLabels(data, spec.rule()) :
                format.read(data, labels, rule(spec));
            final ModelFileRows rows = new ModelFileRows(file, table);
            predict(model(spec, examples), spec, examples, rows, metrics);
            if (rows.found() < LEAST_SHARE_FOUND * rows.asked())
            {
                warn("of the data's features, asked for " + rows.asked() + " times, the model has " + rows.found() +
                    ": are --format and its options the same as in training?");
            }
            tell(metrics, examples.size());
        }

        return 0;
    }

    private ExampleRule rule(final ModelSpec spec)
    {
        final ExampleRule rule = spec.rule();
        return rule.withRemedy((rule.isBinary() ? format.labelRemedy("; ") : "") +
            "where the data have no labels, say --no-labels");
    }

    /** Take the format of features from the model, so that the user need not repeat it. */
    private void takeFormatOf(final ModelFile file)
    {
        final String source = "--model " + modelFile;
        final ModelDescription description = ModelDescription.parse(source, file.metadata());
        if (null != description)
        {
            description.takeFormat(source, command.commandLine());
            description.describe(format);
        }
        if (null == description || description.format().isEmpty())
        {
            command.commandLine().getErr().println("gradstream predict: " + source + " does not say what its features" +
                " are: --format and its options must be those of training, and columns in the same order");
            command.commandLine().getErr().flush();
        }
    }

    private void warn(final String text)
    {
        command.commandLine().getErr().println("gradstream predict: warning: " + text);
        command.commandLine().getErr().flush();
    }

    private void validate()
    {
        format.validate(!isWithoutLabels);
        data = DataFiles.named(data);
        labels = DataFiles.named(labels);
        if (!isWithoutLabels)
        {
            format.checkLabelFiles("labels", data, labels);
        }
        else if (format.isNumberedWithoutLabels())
        {
            warn("--no-header and --no-labels: columns are known by their number, which must be that of training; if" +
                " the column of labels stood before others there, keep one here, and name it with --label");
        }
    }

    /** Check the options that do not depend on the model. */
    private void checkWithoutModel()
    {
        DataFiles.check("data", DataFiles.named(data));
        UsageException.refuseIf(isWithoutLabels && (!labels.isEmpty() || null != metric),
            "--no-labels contradicts " + (labels.isEmpty() ? "--metric" : "--labels"));
        if (null != out && !isStream())
        {
            DataOptions.checkNew("out", out, false);
        }
    }

    /** The table of floats that has the name of a model of ours, or else the only table of floats. */
    private TableEntry table(final ModelFile file)
    {
        final List<TableEntry> tables = file.tables().stream()
            .filter((table) -> ElementType.FLOAT32 == table.spec().elementType()).toList();
        final List<TableEntry> known = tables.stream().filter((table) -> null != byName(table.spec())).toList();
        if (null == modelType && 1 == known.size())
        {
            return known.get(0);
        }
        if (1 == tables.size())
        {
            return tables.get(0);
        }
        throw new UsageException("--model " + modelFile + ": predictions need one table of floats, and there are " +
            file.tables().stream().map((table) -> "'" + table.spec().name() + "'").collect(Collectors.joining(", ")));
    }

    private ModelSpec spec(final TableSpec table)
    {
        final ModelSpec spec = null == modelType ? byName(table) : byType(table);
        UsageException.refuseIf(null == spec,
            "--model " + modelFile + ": the name of its table, '" + table.name() +
                "', does not say what it is: say --model-type");
        final boolean isLine = ModelSpec.Kind.LOGISTIC == spec.kind() || ModelSpec.Kind.LINEAR == spec.kind();
        UsageException.refuseIf(isLine != (1 == table.dim()),
            "--model " + modelFile + ": rows of " + table.dim() + " values are none of a " +
                spec.kind().label() + " model");
        return spec;
    }

    private static ModelSpec byName(final TableSpec table)
    {
        return ModelSpec.ofTable(table.name(), table.dim(), deviation(table));
    }

    private ModelSpec byType(final TableSpec table)
    {
        try
        {
            return switch (ModelSpec.Kind.of(modelType))
            {
                case LOGISTIC -> ModelSpec.logistic();
                case LINEAR -> ModelSpec.linear();
                case SOFTMAX -> ModelSpec.softmax(table.dim());
                case FM -> ModelSpec.factorisationMachine(
                    Loss.LOGISTIC, table.dim() - 1, 0, deviation(table));
                case MF -> ModelSpec.matrixFactorisation(mean, table.dim() - 1, 0, deviation(table));
            };
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(ex.getMessage().replace("invalid model=", "invalid --model-type="));
        }
    }

    /** Initial deviation: models of factors need one above 0, although nothing is drawn here. */
    private static double deviation(final TableSpec table)
    {
        return TableSpec.NORMAL == table.initialiser() ? table.initialiserScale() : 1;
    }

    private static Model model(final ModelSpec spec, final Examples examples)
    {
        try
        {
            return spec.of(examples);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException("--data: " + ex.getMessage() + " (" + spec.kind().label() +
                " model; if the data have no labels, say --no-labels)");
        }
    }

    private List<Metric> metrics(final ModelSpec spec)
    {
        return UsageException.refusing(() ->
            null == metric ? spec.metrics() : List.of(Metrics.named(metric, spec.metrics())));
    }

    private void predict(
        final Model model,
        final ModelSpec spec,
        final Examples examples,
        final ModelFileRows rows,
        final List<Metric> metrics) throws IOException
    {
        final int scoreCount = model.scoreCount();
        boolean isOurs = false;
        boolean isWhole = false;
        try (Writer writer = writer())
        {
            isOurs = true;
            new Scoring(model, examples.size()).forEach(rows, (example, scores, at) ->
            {
                metrics.forEach((each) -> each.add(scores, at, scoreCount, examples.target(example)));
                model.predict(scores, at);
                try
                {
                    writer.append(line(spec, scores, at, scoreCount)).append('\n');
                }
                catch (final IOException ex)
                {
                    throw new UncheckedIOException(ex);
                }
            });
            writer.flush();
            isWhole = true;
        }
        catch (final UncheckedIOException ex)
        {
            throw unwritten(Failures.oneLine(ex.getCause()), ex);
        }
        catch (final IOException ex)
        {
            throw unwritten(Failures.oneLine(ex), ex);
        }
        finally
        {
            // a file that another process made since it was looked for stays
            if (isOurs && !isWhole && null != out && !isStream())
            {
                Files.deleteIfExists(out);
            }
        }
        if (null == out && (command.commandLine().getOut().checkError() || System.out.checkError()))
        {
            throw unwritten("standard output does not take them: is its disk full, or its reader gone?", null);
        }
    }

    private IOException unwritten(final String reason, final Exception cause)
    {
        return new IOException(
            "predictions cannot be written" + (null == out ? "" : " to " + out) + ": " + reason, cause);
    }

    /** The writer of predictions; it does not close the standard output. */
    private Writer writer() throws IOException
    {
        return null == out ? new PrintWriter(command.commandLine().getOut())
        {
            @Override
            public void close()
            {
                flush();
            }
        } : isStream() ? Files.newBufferedWriter(out, StandardOpenOption.WRITE, StandardOpenOption.APPEND) :
            Files.newBufferedWriter(out, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
    }

    /** True if predictions go to a pipe or a device, as /dev/null or /dev/stdout, which stays what it is. */
    private boolean isStream()
    {
        return DataFiles.isOpenOutput(out);
    }

    private static String line(final ModelSpec spec, final double[] predictions, final int at, final int count)
    {
        if (ModelSpec.Kind.SOFTMAX != spec.kind())
        {
            return Float.toString((float)predictions[at]);
        }
        int likeliest = 0;
        for (int c = 1; c < count; c++)
        {
            likeliest = predictions[at + c] > predictions[at + likeliest] ? c : likeliest;
        }
        return likeliest + "," + (float)predictions[at + likeliest];
    }

    private void tell(final List<Metric> metrics, final int examples)
    {
        final List<String> values = new ArrayList<>();
        metrics.forEach((each) -> values.add(
            Metrics.shortName(each) + " " + (null == each.undefined() ?
            String.format(Locale.ROOT, "%.6f", each.value()) : "n/a (" + each.undefined() + ")")));
        final PrintWriter to = null == out ? command.commandLine().getErr() : command.commandLine().getOut();
        to.println((values.isEmpty() ? "predicted" : String.join(", ", values) + " on") + " " + examples + " examples");
        to.flush();
    }
}
