// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.gradstream.training.Examples;
import io.gradstream.training.LibsvmReader;
import io.gradstream.training.MalformedDataException;
import io.gradstream.training.form.ExampleRule;
import io.gradstream.training.form.LabelValues;
import io.gradstream.training.form.LibsvmFormat;
import io.gradstream.training.read.Column;
import io.gradstream.training.read.CsvFormat;
import io.gradstream.training.read.CsvReader;
import io.gradstream.training.read.DataStatistics;
import io.gradstream.training.read.IdxReader;
import io.gradstream.cli.usage.OptionGroup.Advanced;
import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options that say how data files are to be read; the same for training and for prediction. */
@OptionGroup(Heading.DATA)
public final class DataFormatOptions
{
    private static final String LIBSVM = "libsvm";
    private static final String CSV = "csv";
    private static final String TSV = "tsv";
    private static final String CRITEO = "criteo";
    private static final String IDX = "idx";
    private static final char FIRST_BEYOND_ASCII = 0x80;

    @Option(names = "--format", paramLabel = "libsvm|csv|tsv|criteo|idx", defaultValue = LIBSVM,
        description = "Format of data files, each plain, .gz or .zst. Default: ${DEFAULT-VALUE}.")
    String format;

    @Option(names = "--label", paramLabel = "COLUMN",
        description = "Of csv and tsv: column of labels, by its name in the header, or its number from 1.")
    String label;

    @Advanced
    @Option(names = "--separator", paramLabel = "C", converter = Separator.class,
        description = "Of csv: what stands between fields; a tab is '\\t'. Default: ','.")
    Character separator;

    @Option(names = "--number-columns", paramLabel = "COLUMN", split = CommonOptions.COMMA,
        description = "Of csv and tsv: columns of numbers. All others are categories, each value of which is a" +
            " feature of its own.")
    List<String> numberColumns = List.of();

    @Option(names = "--exclude-columns", paramLabel = "COLUMN", split = CommonOptions.COMMA,
        description = "Of csv and tsv: columns that are not read.")
    List<String> leftOut = List.of();

    @Option(names = "--hash-bits", paramLabel = "N",
        description = "Of csv, tsv and criteo: features are hashed to 2^N. Default: 20.")
    Integer hashBits;

    @Option(names = "--no-header", description = "Of csv and tsv: the first line is data; columns have numbers from 1.")
    boolean isWithoutHeader;

    @Advanced
    @Option(names = "--no-intercept", description = "Of csv, tsv and criteo: there is no feature that is always 1.")
    boolean isWithoutIntercept;

    @Advanced
    @Option(names = "--log-scale",
        description = "Of csv and tsv: numbers x are taken as sign(x) log(1 + |x|), as those of criteo are.")
    boolean isLogScaled;

    @Option(names = "--label-values", paramLabel = "V0,V1", split = CommonOptions.COMMA,
        description = "The two values that labels have, if not 0 and 1: the first becomes 0, the second 1. Not of idx" +
            " and criteo.")
    List<String> labelValues = List.of();

    @Advanced
    @Option(names = "--decimal", paramLabel = "C", defaultValue = ".",
        description = "Decimal sign of numbers, '.' or ','. Of libsvm, csv and tsv. Default: ${DEFAULT-VALUE}.")
    char decimal = '.';

    /** Largest index of a feature that can be used. */
    private int maxFeature = LibsvmFormat.MAX_FEATURE;

    /**
     * Refuse features above a limit, as a job's tables do.
     *
     * @param newMaxFeature the largest feature.
     * @throws UsageException if features are hashed beyond it.
     */
    public void limitFeatures(final int newMaxFeature)
    {
        maxFeature = newMaxFeature;
        final int maxBits = Integer.SIZE - Integer.numberOfLeadingZeros(newMaxFeature);
        UsageException.refuseIf(null != hashBits && hashBits > maxBits,
            "invalid --hash-bits=" + hashBits + ": must be at most " + maxBits +
                " to train, as a table has at most " + (1L + newMaxFeature) + " rows");
    }

    /** Columns that a model was trained on; empty if the first file determines them. */
    private List<Column> columns = List.of();
    /** Number of features that a model was trained on; 0 if the first file determines it. */
    private int features;

    /** Converts a separator: one character, or the escape of a tab. */
    static final class Separator implements ITypeConverter<Character>
    {
        @Override
        public Character convert(final String text)
        {
            if ("\\t".equals(text))
            {
                return '\t';
            }
            if (1 != text.length() || text.charAt(0) >= FIRST_BEYOND_ASCII)
            {
                throw new TypeConversionException("'" + text + "' is not one character of ASCII: a tab is '\\t'");
            }
            return text.charAt(0);
        }
    }

    /** Names of these options. */
    public static Set<String> names()
    {
        return namesOf(new DataFormatOptions());
    }

    static Set<String> namesOf(final Object options)
    {
        return CommandSpec.forAnnotatedObject(options).options().stream().map(OptionSpec::longestName)
            .collect(Collectors.toSet());
    }

    /** Refuse options that do not go together. */
    public void validate(final boolean hasLabels)
    {
        UsageException.refuseIf(!List.of(LIBSVM, CSV, TSV, CRITEO, IDX).contains(format),
            "invalid --format=" + format + ": must be libsvm, csv, tsv, criteo or idx");
        final boolean isTable = CSV.equals(format) || TSV.equals(format);
        refuse(!isTable && null != label, "--label", "csv or tsv");
        refuse(!isTable && !numberColumns.isEmpty(), "--number-columns", "csv or tsv");
        refuse(!isTable && !leftOut.isEmpty(), "--exclude-columns", "csv or tsv");
        refuse(!isTable && isWithoutHeader, "--no-header", "csv or tsv");
        refuse(!isTable && isLogScaled, "--log-scale", "csv or tsv");
        refuse(!CSV.equals(format) && null != separator, "--separator", CSV);
        refuse(!isTable && !CRITEO.equals(format) && null != hashBits, "--hash-bits", "csv, tsv or criteo");
        refuse(!isTable && !CRITEO.equals(format) && isWithoutIntercept, "--no-intercept", "csv, tsv or criteo");
        validateValues(isTable);
        UsageException.refuseIf(isTable && hasLabels && null == label,
            "--format " + format + " without --label: name the column of labels");
        if (isTable || CRITEO.equals(format))
        {
            csvFormat(hasLabels);
        }
    }

    private void validateValues(final boolean isTable)
    {
        refuse(!isTable && !LIBSVM.equals(format) && !labelValues.isEmpty(), "--label-values", "libsvm, csv or tsv");
        refuse(!isTable && !LIBSVM.equals(format) && '.' != decimal, "--decimal", "libsvm, csv or tsv");
        CommonOptions.checkWord("decimal", Character.toString(decimal), ".", ",");
        UsageException.refuseIf(!labelValues.isEmpty() && labelValues.size() != 2,
            "invalid --label-values=" + String.join(",", labelValues) +
                ": must be two values, the one that becomes 0 first: 1,2");
        labelValues();
    }

    private LabelValues labelValues()
    {
        try
        {
            return labelValues.isEmpty() ? null : new LabelValues(labelValues.get(0), labelValues.get(1));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(
                "invalid --label-values=" + String.join(",", labelValues) + ": " + ex.getMessage());
        }
    }

    /** A hint at the option that names two label values other than 0 and 1; empty if this format has none. */
    public String labelRemedy(final String end)
    {
        return CRITEO.equals(format) || IDX.equals(format) ? "" : "two other values are named by --label-values" + end;
    }

    /** True if a column may have another number in data without labels than in data with labels. */
    public boolean isNumberedWithoutLabels()
    {
        return isWithoutHeader && null == label && leftOut.isEmpty() && columns.isEmpty();
    }

    /** True if labels lie in a file of their own. */
    public boolean hasLabelFiles()
    {
        return IDX.equals(format);
    }

    /**
     * Check the files of labels.
     *
     * @param option that names them.
     * @throws UsageException unless there is one for each file of data if the format has label files, else none.
     */
    public void checkLabelFiles(final String option, final List<Path> data, final List<Path> labels)
    {
        UsageException.refuseIf(!hasLabelFiles() && !labels.isEmpty(),
            "--" + option + " with --format " + format + ": it is for " + IDX +
                ", whose labels are in a file of their own" + ("labels".equals(option) ?
                "; which values labels have is said by --label-values 1,2" : ""));
        DataFiles.check(option, labels);
        final int images = DataFiles.expanded(data).size();
        final int ofLabels = DataFiles.expanded(labels).size();
        UsageException.refuseIf(hasLabelFiles() && ofLabels != images,
            "--format idx with " + images + " files of images and " + ofLabels +
                " of labels: name one of labels for each with --" + option);
    }

    /**
     * Read data.
     *
     * @param files  one after the other.
     * @param labels of each file, if the format has a file for them.
     * @param rule   that examples must meet.
     * @throws MalformedDataException if a file cannot be used.
     * @throws UsageException         if there is too little memory.
     */
    public Examples read(final List<Path> files, final List<Path> labels, final ExampleRule rule)
    {
        return inMemory(() -> switch (format)
        {
            case LIBSVM -> LibsvmReader.read(DataFiles.expanded(files), libsvmFormat(rule, labelValues()));
            case IDX -> readImages(DataFiles.expanded(files), DataFiles.expanded(labels), rule);
            default -> CsvReader.read(DataFiles.expanded(files), csv(true, rule));
        });
    }

    /** Set the columns that a model was trained on, with which those of files are compared by name. */
    public void columns(final List<Column> columns)
    {
        this.columns = List.copyOf(columns);
    }

    /** The known columns; empty if none are known. */
    public List<Column> columns()
    {
        return columns;
    }

    /** Set the number of features that a model was trained on. */
    public void features(final int features)
    {
        this.features = features;
    }

    /** Take the columns of a file, unless columns are known already. */
    public void columnsOf(final Path file)
    {
        if (columns.isEmpty() && !LIBSVM.equals(format) && !IDX.equals(format))
        {
            columns(CsvReader.columns(file, csvFormat(true)));
        }
    }

    /** Statistics of examples that were read in this format; if labels are numbers, there are 0 classes. */
    public DataStatistics statistics(final Examples examples, final int classes)
    {
        return DataStatistics.of(examples, columns, isWithoutIntercept ? 0 : 1, classes);
    }

    /** These options as arguments, with their defaults where the user gave none. */
    List<String> described()
    {
        final List<String> described = arguments();
        if (null == hashBits && !LIBSVM.equals(format) && !IDX.equals(format))
        {
            described.add("--hash-bits=" + CsvFormat.DEFAULT_HASH_BITS);
        }
        return described;
    }

    /**
     * Read data of which labels are unknown. If the data have labels nevertheless, these are ignored.
     *
     * @param rule that examples must meet, except for labels.
     * @throws MalformedDataException if a file cannot be used.
     * @throws UsageException         if there is too little memory.
     */
    public Examples readWithoutLabels(final List<Path> files, final ExampleRule rule)
    {
        return inMemory(() -> switch (format)
        {
            case LIBSVM ->
                LibsvmReader.read(DataFiles.expanded(files), libsvmFormat(rule.withoutLabels(), null)).withoutLabels();
            case IDX -> ofOneSize(
                DataFiles.expanded(files), DataFiles.expanded(files).stream().map(IdxReader::read).toList());
            default -> CsvReader.read(DataFiles.expanded(files), csv(false, rule.withoutLabels())).withoutLabels();
        });
    }

    /** These options as a worker's arguments. */
    List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>(List.of("--format=" + format));
        GivenOptions.add(arguments, "--label", label);
        GivenOptions.add(arguments, "--separator", separator);
        GivenOptions.add(arguments, "--number-columns", numberColumns);
        GivenOptions.add(arguments, "--exclude-columns", leftOut);
        GivenOptions.add(arguments, "--hash-bits", hashBits);
        GivenOptions.add(arguments, "--no-header", isWithoutHeader);
        GivenOptions.add(arguments, "--no-intercept", isWithoutIntercept);
        GivenOptions.add(arguments, "--log-scale", isLogScaled);
        GivenOptions.add(arguments, "--label-values", labelValues);
        GivenOptions.add(arguments, "--decimal", '.' == decimal ? null : decimal);
        return arguments;
    }

    static String joined(final List<Path> files)
    {
        return files.stream().map((file) -> file.toAbsolutePath().toString()).collect(Collectors.joining(","));
    }

    private LibsvmFormat libsvmFormat(final ExampleRule rule, final LabelValues values)
    {
        return new LibsvmFormat(rule, values, decimal, maxFeature);
    }

    private CsvFormat csvFormat(final boolean hasLabels)
    {
        return csv(hasLabels, ExampleRule.numbers());
    }

    private CsvFormat csv(final boolean hasLabels, final ExampleRule rule)
    {
        final CsvFormat.Builder builder = switch (format)
        {
            case CRITEO -> CsvFormat.criteo();
            case TSV -> CsvFormat.tsv(label);
            default -> CsvFormat.csv(label);
        };
        if (!CRITEO.equals(format))
        {
            builder.hasHeader(!isWithoutHeader).numbers(numberColumns).leftOut(leftOut).isLogScaled(isLogScaled)
                .decimalPoint(decimal).labels(labelValues());
        }
        if (null != separator)
        {
            builder.separator(separator);
        }
        if (null != hashBits)
        {
            builder.hashBits(hashBits);
        }
        try
        {
            return builder.hasIntercept(!isWithoutIntercept).isLabelIgnored(!hasLabels).columns(columns)
                .rule(rule).build();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException("--format " + format + ": " + ex.getMessage());
        }
    }

    private Examples readImages(
        final List<Path> images, final List<Path> labels, final ExampleRule rule)
    {
        final List<Examples> parts = new ArrayList<>();
        for (int i = 0; i < images.size(); i++)
        {
            parts.add(IdxReader.read(images.get(i), labels.get(i), rule));
        }
        return ofOneSize(images, parts);
    }

    private Examples ofOneSize(final List<Path> images, final List<Examples> parts)
    {
        final int wanted = 0 == features ? parts.get(0).featureCount() : features;
        for (int i = 0; i < parts.size(); i++)
        {
            if (parts.get(i).featureCount() != wanted)
            {
                throw new UsageException(images.get(i) + ": images are of " + (parts.get(i).featureCount() - 1) +
                    " pixels, and the model is trained on images of " + (wanted - 1));
            }
        }
        return Examples.concat(parts);
    }

    private static Examples inMemory(final Supplier<Examples> read)
    {
        try
        {
            return read.get();
        }
        catch (final OutOfMemoryError ex)
        {
            throw new UsageException("the data need more memory than the " + Runtime.getRuntime().maxMemory() / 1024 /
                1024 + " MiB of this process: for ./gradstream set GRADSTREAM_JAVA_OPTS=-Xmx2g, for the workers of" +
                " train --worker-heap 2g");
        }
    }

    private void refuse(final boolean isWrong, final String option, final String formats)
    {
        UsageException.refuseIf(isWrong, option + " with --format " + format + ": it is for " + formats);
    }
}
